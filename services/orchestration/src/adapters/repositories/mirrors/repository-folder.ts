import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface RepositoryFolder {
  /** The bare repository that all agents of the project borrow objects from; they only read it. */
  mirror: string;
  /** The agent's git directory, in its working directory. */
  worktreeData: string;
  /** The agent's working directory. */
  worktree: string;
  /** Where git is given directories of ours for one preparation. */
  controls: string;
  /** What is on its way to be removed. */
  discarded: string;
  /** Names the commit that was put into the worktree last; written when it is whole. */
  placed: string;
}

/** Where a project's repository lies; another address is another place, so that nothing is mixed. */
export function repositoryFolder(
  root: string,
  request: { projectId: string; agentId: string; url: string },
): RepositoryFolder {
  const { projectId, agentId, url } = request;
  const address = createHash('sha256').update(url).digest('hex').slice(0, 16);
  const base = join(root, projectId, address);
  const mirror = join(base, 'mirror.git');
  const worktree = join(base, 'agents', agentId);
  return {
    mirror,
    worktree,
    worktreeData: join(worktree, '.git'),
    controls: join(base, 'control'),
    discarded: join(base, 'discarded'),
    placed: join(base, 'placed', agentId),
  };
}
