import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface RepositoryFolder {
  /** The bare repository that all agents of the project borrow from. */
  mirror: string;
  /** What git keeps about one agent's worktree. */
  worktreeData: string;
  /** The agent's working directory. */
  worktree: string;
  /** Where git is given a directory of ours for one preparation. */
  controls: string;
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
  return {
    mirror,
    worktreeData: join(mirror, 'worktrees', agentId),
    worktree: join(base, 'agents', agentId),
    controls: join(base, 'control'),
    placed: join(base, 'placed', agentId),
  };
}
