import { constants } from 'node:fs';
import { lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { askGit, type GitAnswer, type GitSurroundings } from '../git/run-git';
import { failureFromGit } from '../repository-failure';
import { writeOwnFile } from './own-files';
import type { RepositoryFolder } from './repository-folder';

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
  const options = { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NOFOLLOW } as const;
  const text = await readFile(path, options).catch(() => '');
  const [, moving, commit] = /^(moving )?([0-9a-f]{40,64})$/.exec(text) ?? [];
  return commit ? { commit, isMoving: moving !== undefined } : null;
}

/** No command of git takes so long over them; younger ones may be those of an agent at work. */
const STALE_LOCK_MS = 600_000;

async function removeLocks(worktreeData: string, olderThanMs: number): Promise<void> {
  for (const name of ['index.lock', 'HEAD.lock']) {
    const lock = join(worktreeData, name);
    const found = await lstat(lock).catch(() => null);
    if (found && found.mtimeMs <= Date.now() - olderThanMs) await rm(lock, { force: true });
  }
}

/** A link is none: it may lead to what is no agent's. */
const isFolder = (path: string) =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const quoted = (value: string) => `"${value.replace(/[\p{Cc}"\\<>]/gu, ' ').trim()}"`;

/** As `git worktree add` would, but for its look at the mirror's settings (gitrepository-layout(5)). */
async function make(folder: RepositoryFolder, commit: string, author: Author): Promise<void> {
  const { worktree, worktreeData, placed } = folder;
  // Without its mark it was never whole, and no agent has worked in it.
  await rm(placed, { recursive: true, force: true });
  await rm(worktree, { recursive: true, force: true });
  await rm(worktreeData, { recursive: true, force: true });
  for (const path of [worktree, worktreeData]) await mkdir(path, { mode: 0o700 });
  await writeOwnFile(join(worktree, '.git'), `gitdir: ${worktreeData}\n`);
  await writeOwnFile(join(worktreeData, 'gitdir'), `${join(worktree, '.git')}\n`);
  await writeOwnFile(join(worktreeData, 'commondir'), '../..\n');
  await writeOwnFile(join(worktreeData, 'HEAD'), `${commit}\n`);
  const user = `[user]\n\tname = ${quoted(author.name)}\n\temail = ${author.id}@agents.invalid\n`;
  await writeOwnFile(join(worktreeData, 'config.worktree'), user);
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
 * The agent's own worktree of the mirror, kept between runs; the caller holds the mirror's lock. Its git reads `control`
 * in place of what the agent has set; what the agent's repositories inside it say is not asked. It follows
 * the reference only while the agent has left nothing in it: commits, a branch and uncommitted changes
 * stay as they are.
 * @throws RepositoryFailure
 */
export async function placeWorktree(
  surroundings: GitSurroundings,
  { control, ...folder }: RepositoryFolder & { control: string },
  commit: string,
  author: Author,
): Promise<Placement> {
  const { worktree, worktreeData, placed } = folder;
  const mark = await readPlaced(placed);
  const isThere = mark !== null && (await isFolder(worktree)) && (await isFolder(worktreeData));
  // Named outright: a `.git` that an agent has rewritten leads us nowhere.
  const place = ['--git-dir', worktreeData, '--work-tree', worktree];
  const own = { ...surroundings, commonDir: control };
  const ask = (args: string[]) => askGit(own, control, [...place, ...args]);
  const checkout = (to: string, ...options: string[]) => [
    'checkout',
    '--quiet',
    ...options,
    '--detach',
    to,
    '--',
  ];
  const endMove = async (to: string) => {
    await removeLocks(worktreeData, 0);
    if ((await ask(checkout(to, '--force'))).exitCode !== 0) return false;
    await writeOwnFile(placed, to);
    return true;
  };
  if (!isThere || (mark.isMoving && !(await endMove(mark.commit)))) {
    await make(folder, commit, author);
    const { exitCode, stderr } = await ask(checkout(commit, '--force'));
    if (exitCode !== 0) throw failureFromGit('making the working directory', stderr);
    await writeOwnFile(placed, commit);
    return { kind: 'made' };
  }
  const before = mark.commit;
  const status = [
    'status',
    '--porcelain=v2',
    '--branch',
    '--untracked-files=normal',
    '--ignore-submodules=all',
  ];
  const why = findWork(await ask(status), before);
  if (why) return { kind: 'kept', why };
  if (before === commit) return { kind: mark.isMoving ? 'moved' : 'current' };
  await removeLocks(worktreeData, STALE_LOCK_MS);
  // Whoever finds this mark knows that no agent has been there since, and ends the move.
  await writeOwnFile(placed, `moving ${commit}`);
  const isMoved = (await ask(checkout(commit))).exitCode === 0;
  await writeOwnFile(placed, isMoved ? commit : before);
  return isMoved ? { kind: 'moved' } : { kind: 'kept', why: 'git could not move it' };
}
