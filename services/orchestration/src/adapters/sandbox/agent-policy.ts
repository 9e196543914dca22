import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute } from 'node:path';
import type { SandboxPolicy } from '@switchyard/sandbox';
import { findExecutable } from '../agents/command/find-executable';
import type { ConfinedCommand } from './confinement';
import { toolFolders } from './tool-folders';

/** Local trusted mode, where agents work with the operator's own tools. */
export interface TrustedPlaces {
  path: string | undefined;
  home: string | undefined;
  dataDir: string;
}

interface Wanted {
  command: ConfinedCommand;
  home: string | null;
  readOnly: readonly string[];
  trusted: TrustedPlaces | null;
}

/** Where coding agents keep their sign-ins and conversations, below the operator's HOME. */
const SIGN_INS = [
  ...['.claude', '.claude.json', '.codex', '.config/opencode', '.local/share/opencode'],
  ...['.local/state/opencode', '.cache/opencode'],
];
const READ_BY_GIT = ['.gitconfig', '.config/git'];

/**
 * What an agent may reach: its working directory and HOME, the folder of the program that is started, and in local
 * trusted mode the folders of the operator's PATH and of a script that is named outright. Never a folder that holds a
 * whole HOME or our own data.
 */
export async function agentPolicy({
  command,
  home,
  readOnly,
  trusted,
}: Wanted): Promise<Pick<SandboxPolicy, 'readOnly' | 'readWrite' | 'home'>> {
  const ownHome = home ?? command.environment.HOME ?? null;
  const programs = await programFolders(command, trusted);
  const signIns = home === null && trusted?.home ? below(trusted.home, SIGN_INS) : [];
  const settings = home === null && trusted?.home ? below(trusted.home, READ_BY_GIT) : [];
  return {
    readOnly: unique([...readOnly, ...programs, ...(await present(settings))]),
    readWrite: unique([command.cwd, ...(home === null ? [] : [home]), ...(await present(signIns))]),
    home: ownHome,
  };
}

/** Where the command's program lies; in local trusted mode also its script, and all that the PATH names. */
export async function programFolders(
  { command, args, cwd, environment }: ConfinedCommand,
  trusted: TrustedPlaces | null,
): Promise<string[]> {
  const kept = [trusted?.home, trusted?.dataDir].filter((path) => path !== undefined);
  const program = await findExecutable(command, environment.PATH, cwd);
  const files = [program, ...(trusted ? args.filter(isAbsolute) : [])];
  const paths = trusted ? pathFolders(trusted, environment.PATH) : [];
  const folders = await Promise.all([
    ...files.map((file) => (file === null ? [] : toolFolders.ofFile(file, kept))),
    ...paths.map((folder) => toolFolders.onPath(folder, kept)),
  ]);
  return unique(folders.flat());
}

function pathFolders(trusted: TrustedPlaces, path: string | undefined): string[] {
  const listed = `${trusted.path ?? ''}${delimiter}${path ?? ''}`.split(delimiter);
  return unique(listed.filter(isAbsolute));
}

const below = (folder: string, names: readonly string[]) =>
  names.map((name) => `${folder}/${name}`);

async function present(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        () => path,
        () => null,
      ),
    ),
  );
  return found.filter((path) => path !== null);
}

const unique = (paths: readonly string[]) => [...new Set(paths)];
