import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RepositoryFolder } from './repository-folder';
import { askGit, type GitAnswer, type GitSurroundings, runGit } from './run-git';

export type Placement =
  | { kind: 'made' }
  | { kind: 'current' }
  | { kind: 'moved' }
  /** The agent has left work in it, which is worth more than the newest commit. */
  | { kind: 'kept'; why: string };

/** So that the agent's commits have an author without a configuration of the host's. */
export interface Author {
  id: string;
  name: string;
}

interface Placed {
  commit: string;
  /** On the way to it when it was written: what is in the worktree is no agent's. */
  isMoving: boolean;
}

async function readPlaced(path: string): Promise<Placed | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const [, moving, commit] = /^(moving )?([0-9a-f]{40,64})$/.exec(text) ?? [];
  return commit ? { commit, isMoving: moving !== undefined } : null;
}

/** In one step, because half a mark would be none, and a worktree without one is made anew. */
async function writePlaced(path: string, mark: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.part`, mark);
  await rename(`${path}.part`, path);
}

/** No command of git takes so long over them; younger ones may be those of an agent at work. */
const STALE_LOCK_MS = 600_000;

async function removeLocks(worktreeData: string, olderThanMs: number): Promise<void> {
  for (const name of ['index.lock', 'HEAD.lock']) {
    const lock = join(worktreeData, name);
    const found = await stat(lock).catch(() => null);
    if (found && found.mtimeMs <= Date.now() - olderThanMs) await rm(lock, { force: true });
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const quoted = (value: string) => `"${value.replace(/[\p{Cc}"\\<>]/gu, ' ').trim()}"`;

async function make(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  commit: string,
  author: Author,
): Promise<void> {
  const { mirror, worktree, worktreeData, placed } = folder;
  // Without its mark it was never whole, and no agent has worked in it.
  await rm(placed, { force: true });
  await rm(worktree, { recursive: true, force: true });
  await rm(worktreeData, { recursive: true, force: true });
  await mkdir(dirname(worktree), { recursive: true, mode: 0o700 });
  const add = [
    '--git-dir',
    mirror,
    'worktree',
    'add',
    '--quiet',
    '--detach',
    '--',
    worktree,
    commit,
  ];
  await runGit(surroundings, 'making the working directory', mirror, add);
  const user = `[user]\n\tname = ${quoted(author.name)}\n\temail = ${author.id}@agents.invalid\n`;
  await writeFile(join(worktreeData, 'config.worktree'), user);
  await writePlaced(placed, commit);
}

/** What the agent has done to the worktree since a commit was put into it; null for nothing. */
function findWork({ exitCode, stdout }: GitAnswer, before: string): string | null {
  const lines = stdout.split('\n').filter((line) => line !== '');
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3);
  const [head, branch] = [header('branch.oid'), header('branch.head')];
  if (exitCode !== 0 || !head || !branch) return 'git cannot read it';
  if (branch !== '(detached)') return `it is on the branch ${branch}`;
  if (head !== before) return 'it has commits of its own';
  return lines.every((line) => line.startsWith('# ')) ? null : 'it has uncommitted changes';
}

/**
 * The agent's own worktree of the mirror, kept between runs; the caller holds the mirror's lock. It follows
 * the reference only while the agent has left nothing in it: commits, a branch and uncommitted changes
 * stay as they are.
 * @throws RepositoryFailure
 */
export async function placeWorktree(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  commit: string,
  author: Author,
): Promise<Placement> {
  const { worktree, worktreeData, placed } = folder;
  const mark = await readPlaced(placed);
  const isThere = mark !== null && (await isFolder(worktree));
  // Named outright: a `.git` that an agent has rewritten leads us nowhere.
  const place = ['--git-dir', worktreeData, '--work-tree', worktree];
  const ask = (args: string[]) => askGit(surroundings, worktree, [...place, ...args]);
  const checkout = async (to: string, ...options: string[]) =>
    (await ask(['checkout', '--quiet', ...options, '--detach', to, '--'])).exitCode === 0;
  const endMove = async (to: string) => {
    await removeLocks(worktreeData, 0);
    if (!(await checkout(to, '--force'))) return false;
    await writePlaced(placed, to);
    return true;
  };
  if (!isThere || (mark.isMoving && !(await endMove(mark.commit)))) {
    await make(surroundings, folder, commit, author);
    return { kind: 'made' };
  }
  const before = mark.commit;
  const status = ['status', '--porcelain=v2', '--branch', '--untracked-files=normal'];
  const why = findWork(await ask(status), before);
  if (why) return { kind: 'kept', why };
  if (before === commit) return { kind: mark.isMoving ? 'moved' : 'current' };
  await removeLocks(worktreeData, STALE_LOCK_MS);
  // Whoever finds this mark knows that no agent has been there since, and ends the move.
  await writePlaced(placed, `moving ${commit}`);
  const isMoved = await checkout(commit);
  await writePlaced(placed, isMoved ? commit : before);
  return isMoved ? { kind: 'moved' } : { kind: 'kept', why: 'git could not move it' };
}
