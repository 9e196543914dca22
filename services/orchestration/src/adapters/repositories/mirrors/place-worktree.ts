import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controls } from '../control-folder';
import { reading, writing } from '../git/git-access';
import { askGit, askShell, type GitAnswer, type GitSurroundings } from '../git/run-git';
import { failureFromGit } from '../repository-failure';
import { initRepository, type Origin } from './agent-repository';
import { followMirror } from './follow-mirror';
import { writeOwnFile } from './own-files';
import type { RepositoryFolder } from './repository-folder';
import type { MirroredCommit } from './update-mirror';

export type Placement =
  | { kind: 'made' }
  | { kind: 'current' }
  | { kind: 'moved' }
  /** The agent has left work in it, which is worth more than the newest commit. */
  | { kind: 'kept'; why: string };

/**
 * The agent's own worktree, kept between runs; the caller holds the mirror's lock. Its git reads a control folder in
 * place of what the agent has set; what the agent's repositories inside it say is not asked. It follows the reference
 * only while the agent has left nothing in it: commits, a branch and uncommitted changes stay as they are.
 *
 * Whatever is read or written in it is so by a command that may write nowhere else, for an agent has been there, or is
 * there now in another run: links, filters and included files then do no more than the agent itself can.
 * @throws RepositoryFailure
 */
export async function placeWorktree(
  outer: GitSurroundings,
  folder: RepositoryFolder,
  controls: Controls,
  mirrored: MirroredCommit,
  origin: Origin,
): Promise<Placement> {
  const { worktree, worktreeData, placed } = folder;
  const { commit } = mirrored;
  const surroundings = { ...outer, home: controls.home };
  const mark = await readPlaced(placed);
  const isThere = mark !== null && (await isFolder(worktree)) && (await isFolder(worktreeData));
  const borrowed = [join(folder.mirror, 'objects'), controls.folder];
  const own = { ...surroundings, commonDir: controls.agent };
  const reader = { ...own, access: reading(worktree, ...borrowed) };
  const writer = { ...own, access: writing([worktree], borrowed) };
  // Named outright: a `.git` that an agent has rewritten leads us nowhere.
  const place = ['--git-dir', worktreeData, '--work-tree', worktree];
  const tidy = (script: string) => askShell(writer, controls.folder, script, [worktreeData]);
  const checkout = (to: string, ...options: string[]) =>
    askGit(writer, controls.folder, [
      ...place,
      'checkout',
      '--quiet',
      ...options,
      '--detach',
      to,
      '--',
    ]);
  const follow = () => followMirror(own, folder, controls, mirrored);
  const endMove = async (to: string) => {
    await tidy(REMOVE_LOCKS);
    if ((await checkout(to, '--force')).exitCode !== 0) return false;
    await writeOwnFile(placed, to);
    return true;
  };
  if (isThere) {
    await tidy(REMOVE_LINKS);
    await follow();
  }
  if (!isThere || (mark.isMoving && !(await endMove(mark.commit)))) {
    await make(surroundings, folder, controls, origin);
    await follow();
    const { exitCode, stderr } = await checkout(commit, '--force');
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
  const why = findWork(await askGit(reader, controls.folder, [...place, ...status]), before);
  if (why) return { kind: 'kept', why };
  if (before === commit) return { kind: mark.isMoving ? 'moved' : 'current' };
  await tidy(REMOVE_STALE_LOCKS);
  // Whoever finds this mark knows that no agent has been there since, and ends the move.
  await writeOwnFile(placed, `moving ${commit}`);
  const isMoved = (await checkout(commit)).exitCode === 0;
  await writeOwnFile(placed, isMoved ? commit : before);
  return isMoved ? { kind: 'moved' } : { kind: 'kept', why: 'git could not move it' };
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

/** A link is none: it may lead to what is no agent's. */
const isFolder = (path: string) =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** git makes none there, and would write to what one leads to. */
const REMOVE_LINKS = 'find "$1" "$1/logs" -maxdepth 1 -type l -exec rm -f {} +';

const LOCKS = 'find "$1" -maxdepth 1 "(" -name index.lock -o -name HEAD.lock ")"';
const REMOVE_LOCKS = `${LOCKS} -exec rm -f {} +`;
/** No command of git takes ten minutes over them; younger ones may be those of an agent at work. */
const REMOVE_STALE_LOCKS = `${LOCKS} -mmin +10 -exec rm -f {} +`;

async function make(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  controls: Controls,
  origin: Origin,
): Promise<void> {
  const { worktree, placed } = folder;
  // Without its mark it was never whole, and no agent has worked in it.
  await rm(placed, { recursive: true, force: true });
  await discard(surroundings, folder);
  await mkdir(worktree, { mode: 0o700 });
  await initRepository(surroundings, folder, controls, origin);
}

/** Moved away whole, which opens nothing of it, and then removed by a command that can reach nothing else. */
async function discard(
  surroundings: GitSurroundings,
  { worktree, discarded }: RepositoryFolder,
): Promise<void> {
  const isThere = await lstat(worktree).catch(() => null);
  if (!isThere) return;
  await mkdir(discarded, { recursive: true, mode: 0o700 });
  await rename(worktree, join(discarded, randomUUID()));
  const within = { ...surroundings, access: writing([discarded]) };
  await askShell(within, discarded, 'rm -rf -- "$1"/*', [discarded]);
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
