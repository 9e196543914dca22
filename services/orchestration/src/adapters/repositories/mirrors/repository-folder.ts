import { createHash } from 'node:crypto';
import { join } from 'node:path';

export interface RepositoryFolder {
  /** Bare repository from which all agents of the project borrow objects; they only read it. */
  mirror: string;
  /** The agent's git directory, in its working directory. */
  worktreeData: string;
  worktree: string;
  /** Our git directories for one preparation. */
  controls: string;
  /** Folders being removed. */
  discarded: string;
  /** Contains the commit last placed; written once it is complete. */
  placed: string;
}

/** Each address has its own folder. */
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
