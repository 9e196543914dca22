import { delimiter, dirname, isAbsolute } from 'node:path';
import { realPathOf, type SandboxPolicy } from '@switchyard/sandbox';
import { findExecutable } from '../agents/command/find-executable';
import type { ChildEnvironment } from '../agents/environment/child-environment';
import type { ClosedPlaces } from './closed-places';
import { pathsOfArgument, pathsOfFolder, pathsOfProgram } from './tool-folders';

export interface ConfinedCommand {
  command: string;
  args: readonly string[];
  cwd: string;
  environment: ChildEnvironment;
}

export interface AgentFolders {
  home: string | null;
  readOnly: readonly string[];
  readWrite: readonly string[];
  network?: SandboxPolicy['network'];
}

export interface TrustedPlaces {
  path: string | undefined;
  closed: ClosedPlaces;
}

interface Wanted {
  command: ConfinedCommand;
  own: AgentFolders;
  readOnly: readonly string[];
  trusted: TrustedPlaces | null;
}

/**
 * Allows the working directory, HOME and the started program. In local mode also allows the
 * program's package, the PATH and each file that an argument names.
 */
export function agentPolicy({
  command,
  own,
  readOnly,
  trusted,
}: Wanted): Pick<SandboxPolicy, 'readOnly' | 'readWrite' | 'home'> {
  const readWrite = unique([command.cwd, ...own.readWrite]);
  // If the program is a script in a writable folder, that folder must not become read-only.
  const programs = programFolders(command, readWrite, trusted).filter(
    (path) => !readWrite.some((folder) => `${path}/`.startsWith(`${folder}/`)),
  );
  return {
    readOnly: unique([...readOnly, ...programs, ...own.readOnly]),
    readWrite,
    home: own.home ?? command.environment.HOME ?? null,
  };
}

/**
 * Ignores programs and arguments in `writable` folders, because the agent could replace those files
 * with links.
 */
export function programFolders(
  { command, args, cwd, environment }: ConfinedCommand,
  writable: readonly string[],
  trusted: TrustedPlaces | null,
): string[] {
  const found = findExecutable(command, environment.PATH, cwd);
  const program = found !== null && !isInAny(found, writable) ? [found] : [];
  if (!trusted) return program;
  const { closed } = trusted;
  const named = args.filter((file) => isAbsolute(file) && !isInAny(file, writable));
  return unique([
    ...program.flatMap((file) => pathsOfProgram(file, closed)),
    ...named.flatMap((file) => pathsOfArgument(file, closed)),
    ...pathFolders(trusted, environment.PATH).flatMap((folder) => pathsOfFolder(folder, closed)),
  ]);
}

function isInAny(file: string, folders: readonly string[]): boolean {
  const parent = realPathOf(dirname(file)) ?? dirname(file);
  return [file, parent].some((path) =>
    folders.some((folder) => `${path}/`.startsWith(`${folder}/`)),
  );
}

function pathFolders(trusted: TrustedPlaces, path: string | undefined): string[] {
  const listed = `${trusted.path ?? ''}${delimiter}${path ?? ''}`.split(delimiter);
  return unique(listed.filter(isAbsolute));
}

const unique = (paths: readonly string[]) => [...new Set(paths)];
