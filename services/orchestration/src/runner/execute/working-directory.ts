import { mkdir, realpath, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RunSpec } from '@switchyard/types';
import { allowedFolder, type WorkspaceRoots } from '../../adapters/repositories/allowed-folder';
import type { Preparation, RepositoryCache } from '../../adapters/repositories/repository-cache';
import { CannotStart, cannotStart } from './cannot-start';
import { type ClosedPlaces, isClosedFolder } from './closed-folder';

export interface Places extends ClosedPlaces {
  workspaceRoots: WorkspaceRoots;
  repositories: Pick<RepositoryCache, 'prepare'>;
}

export interface WorkingDirectory {
  path: string;
  /** Folders beside it that the agent has to read. */
  readOnly: string[];
  /** Removes the run's own folder when nothing was left in it. */
  tidy(): Promise<void>;
}

type Placed = Pick<
  RunSpec,
  | 'companyId'
  | 'agentId'
  | 'agentName'
  | 'config'
  | 'workspace'
  | 'repositoryCredential'
  | 'session'
>;

/**
 * The project's primary workspace (its directory, else its repository), else the adapter's `cwd`, else a folder of the
 * run, which is the first run's for runs that go on with one conversation. Named directories outside WORKSPACE_ROOTS are
 * refused here too, since the operator may have drawn them narrower meanwhile.
 * @throws CannotStart when there is none
 */
export async function workingDirectory(
  places: Places,
  runId: string,
  spec: Placed,
  preparation: Preparation,
): Promise<WorkingDirectory> {
  const { dataDir, workspaceRoots, repositories } = places;
  const { companyId, agentId, agentName, workspace, repositoryCredential: credential } = spec;
  if (workspace?.repoUrl && !workspace.cwd) {
    const { projectId, repoUrl: url, repoRef: ref } = workspace;
    const agent = { id: agentId, name: agentName };
    const request = { companyId, projectId, agent, url, ref, credential };
    const prepared = await repositories.prepare(request, preparation);
    if ('refusal' in prepared) throw new CannotStart(prepared.refusal);
    return { ...kept(await realpath(prepared.path)), readOnly: prepared.readOnly };
  }
  const named = workspace?.cwd ?? (spec.config.cwd as string | undefined);
  if (named) {
    const folder = await allowedFolder(workspaceRoots, companyId, named);
    if (folder !== null && !(await isClosedFolder(folder, places))) return kept(folder);
    const text =
      folder === null
        ? 'the working directory is outside what WORKSPACE_ROOTS opens to the company'
        : CLOSED;
    throw cannotStart('cwd_not_allowed', text);
  }
  const runs = join(dataDir, 'runs');
  const path = folderOfSession(runs, spec.session) ?? join(runs, runId);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const tidy = () => rmdir(path).catch(() => undefined);
  return { path: await realpath(path), readOnly: [], tidy };
}

export const CLOSED =
  'no agent works in a directory of the system, with DATA_DIR, with a whole HOME, or hidden in it';

const kept = (path: string): WorkingDirectory => ({
  path,
  readOnly: [],
  tidy: async () => undefined,
});

/**
 * The folder of an earlier run, when the conversation began in one; a run that goes on with it works there too. Its path
 * was written by whichever runner executed that run, maybe one of a company, so nothing but the folder of a run is taken.
 */
function folderOfSession(runs: string, session: Placed['session']): string | null {
  const name = basename(session?.directory ?? '');
  const path = join(runs, name);
  return RUN_ID.test(name) && session?.directory === path ? path : null;
}

const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
