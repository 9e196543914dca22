import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface RepositoryFolder {
  /** Bare repository from which all agents of the project borrow objects. Agents only read it. */
  mirror: string;
  worktreeData: string;
  worktree: string;
  controls: string;
  discarded: string;
  placed: string;
}

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
