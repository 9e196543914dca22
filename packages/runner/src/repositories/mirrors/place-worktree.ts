import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controls } from '../control-folder';
import { reading, writing } from '../git/git-access';
import { execGit, execShell, type GitResult, type GitSurroundings } from '../git/run-git';
import { failureFromGit } from '../repository-failure';
import { initRepository, type Origin } from './agent-repository';
import { followMirror } from './follow-mirror';
import { writeOwnFile } from './own-files';
import type { RepositoryFolder } from './repository-folder';
import type { MirroredCommit } from './update-mirror';

export type Placement =
  | { kind: 'created' }
  | { kind: 'current' }
  | { kind: 'moved' }
  | { kind: 'untouched'; why: string };

/**
 * Prepares the agent's worktree, which is kept between runs. The worktree follows the reference
 * only while the agent has left no commits, branch or changes. git uses a control folder instead of
 * the agent's settings, because the agent may change those at any time. The caller must hold the
 * mirror's lock.
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
  // Names both folders explicitly, because an agent may have rewritten `.git`.
  const place = ['--git-dir', worktreeData, '--work-tree', worktree];
  const tidy = (script: string) => execShell(writer, controls.folder, script, [worktreeData]);
  const checkout = (to: string, ...options: string[]) =>
    execGit(writer, controls.folder, [
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
    if (exitCode !== 0) throw failureFromGit('creating the working directory', stderr);
    await writeOwnFile(placed, commit);
    return { kind: 'created' };
  }
  const before = mark.commit;
  const status = [
    'status',
    '--porcelain=v2',
    '--branch',
    '--untracked-files=normal',
    '--ignore-submodules=all',
  ];
  const why = findWork(await execGit(reader, controls.folder, [...place, ...status]), before);
  if (why) return { kind: 'untouched', why };
  if (before === commit) return { kind: mark.isMoving ? 'moved' : 'current' };
  await tidy(REMOVE_STALE_LOCKS);
  // While this mark exists, no agent uses the worktree. After an interruption the next preparation
  // completes the move.
  await writeOwnFile(placed, `moving ${commit}`);
  const isMoved = (await checkout(commit)).exitCode === 0;
  await writeOwnFile(placed, isMoved ? commit : before);
  return isMoved ? { kind: 'moved' } : { kind: 'untouched', why: 'git could not move it' };
}

interface Placed {
  commit: string;
  isMoving: boolean;
}

async function readPlaced(path: string): Promise<Placed | null> {
  const options = { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NOFOLLOW } as const;
  const text = await readFile(path, options).catch(() => '');
  const [, moving, commit] = /^(moving )?([0-9a-f]{40,64})$/.exec(text) ?? [];
  return commit ? { commit, isMoving: moving !== undefined } : null;
}

/** False for links, because they may lead to other agents' files. */
const isFolder = (path: string) =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const REMOVE_LINKS = 'find "$1" "$1/logs" -maxdepth 1 -type l -exec rm -f {} +';

const LOCKS = 'find "$1" -maxdepth 1 "(" -name index.lock -o -name HEAD.lock ")"';
const REMOVE_LOCKS = `${LOCKS} -exec rm -f {} +`;
/**
 * No git command holds a lock for ten minutes, so an older lock was left by a killed command. A
 * younger lock may belong to the agent's git.
 */
const REMOVE_STALE_LOCKS = `${LOCKS} -mmin +10 -exec rm -f {} +`;

async function make(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  controls: Controls,
  origin: Origin,
): Promise<void> {
  const { worktree, placed } = folder;
  // Without a mark the worktree was never complete, so no agent has worked in it.
  await rm(placed, { recursive: true, force: true });
  await discard(surroundings, folder);
  await mkdir(worktree, { mode: 0o700 });
  await initRepository(surroundings, folder, controls, origin);
}

/**
 * Renames the folder without opening it, then removes it with a command that cannot open any other
 * folder.
 */
async function discard(
  surroundings: GitSurroundings,
  { worktree, discarded }: RepositoryFolder,
): Promise<void> {
  const isThere = await lstat(worktree).catch(() => null);
  if (!isThere) return;
  await mkdir(discarded, { recursive: true, mode: 0o700 });
  await rename(worktree, join(discarded, randomUUID()));
  const within = { ...surroundings, access: writing([discarded]) };
  await execShell(within, discarded, 'rm -rf -- "$1"/*', [discarded]);
}

function findWork({ exitCode, stdout }: GitResult, before: string): string | null {
  const lines = stdout.split('\n').filter((line) => line !== '');
  const header = (name: string) =>
    lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3);
  const [head, branch] = [header('branch.oid'), header('branch.head')];
  if (exitCode !== 0 || !head || !branch) return 'git cannot read it';
  if (branch !== '(detached)') return `it is on the branch ${branch}`;
  if (head !== before) return 'it has its own commits';
  return lines.every((line) => line.startsWith('# ')) ? null : 'it has uncommitted changes';
}
