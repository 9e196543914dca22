import { mkdir, realpath, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RunSpec } from '@switchyard/types';
import { allowedFolder, type WorkspaceRoots } from '../repositories/allowed-folder';
import type { Preparation, RepositoryCache } from '../repositories/repository-cache';
import { CannotStart, cannotStart } from './cannot-start';
import { type ClosedPlaces, isClosedFolder } from './closed-folder';

export interface Places extends ClosedPlaces {
  workspaceRoots: WorkspaceRoots;
  repositories: Pick<RepositoryCache, 'prepare'>;
}

export interface WorkingDirectory {
  path: string;
  readOnly: string[];
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
 * Chooses the primary workspace's directory or repository, then the adapter's `cwd`, then a run
 * folder. A resumed conversation uses the folder of its first run. Checks WORKSPACE_ROOTS again,
 * because the setting may have changed.
 * @throws CannotStart without a folder
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
    return { ...permanent(await realpath(prepared.path)), readOnly: prepared.readOnly };
  }
  const named = workspace?.cwd ?? (spec.config.cwd as string | undefined);
  if (named) {
    const folder = await allowedFolder(workspaceRoots, companyId, named);
    if (folder !== null && !(await isClosedFolder(folder, places))) return permanent(folder);
    const text =
      folder === null
        ? 'the working directory must be in a directory that WORKSPACE_ROOTS allows for the company'
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
  'agents may not work in a system directory, in a directory that contains DATA_DIR or a HOME, or in a hidden directory of the HOME';

const permanent = (path: string): WorkingDirectory => ({
  path,
  readOnly: [],
  tidy: async () => undefined,
});

/**
 * Returns the folder of a resumed conversation. Accepts only folders of runs, because another
 * company's runner may have written the path.
 */
function folderOfSession(runs: string, session: Placed['session']): string | null {
  const name = basename(session?.directory ?? '');
  const path = join(runs, name);
  return RUN_ID.test(name) && session?.directory === path ? path : null;
}

const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
