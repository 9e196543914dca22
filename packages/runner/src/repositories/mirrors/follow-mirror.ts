import { constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controls } from '../control-folder';
import { writing } from '../git/git-access';
import { execGit, execShell, type GitSurroundings } from '../git/run-git';
import type { RepositoryFolder } from './repository-folder';
import type { MirroredCommit } from './update-mirror';

export async function followMirror(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  controls: Controls,
  { ref }: MirroredCommit,
): Promise<void> {
  const { mirror, worktree } = folder;
  const borrowed = [join(mirror, 'objects'), controls.folder];
  const own = { ...surroundings, access: writing([worktree], borrowed) };
  await followShallow(own, folder, controls);
  // Ignores a failure, because the agent may have replaced the reference.
  const update = ['update-ref', '--no-deref', ref.name, ref.object];
  const args = ['--git-dir', controls.agent, ...update];
  await execGit(own, controls.folder, args, [['core.logAllRefUpdates', 'false']]);
}

/** Copies the list of shallow commits, without which git considers both repositories damaged. */
async function followShallow(
  own: GitSurroundings,
  { mirror, worktree, worktreeData }: RepositoryFolder,
  { agent, folder }: Controls,
): Promise<void> {
  const options = { encoding: 'utf8', flag: constants.O_RDONLY | constants.O_NOFOLLOW } as const;
  const wanted = commitsOf(await readFile(join(mirror, 'shallow'), options).catch(() => ''));
  const read = await execShell(own, folder, READ_SHALLOW, [worktreeData]);
  const present = commitsOf(read.stdout);
  const others = present.filter((commit) => !wanted.includes(commit));
  const boundary = others.length === 0 ? [] : await endsOfHistory(own, folder, agent, others);
  const all = [...wanted, ...boundary].sort();
  if (all.join() === present.sort().join()) return;
  const text = all.map((commit) => `${commit}\n`).join('');
  await execShell(own, worktree, WRITE_SHALLOW, [worktreeData], text);
}

const commitsOf = (text: string) =>
  text.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));

const READ_SHALLOW = 'cat "$1/shallow" 2>/dev/null';
const WRITE_SHALLOW =
  'rm -rf "$1/shallow.part" && cat > "$1/shallow.part" && mv -f "$1/shallow.part" "$1/shallow"';

async function endsOfHistory(
  own: GitSurroundings,
  folder: string,
  agent: string,
  commits: string[],
): Promise<string[]> {
  const ask = async (objects: string[], how: string) => {
    const args = ['--git-dir', agent, 'cat-file', how];
    const input = objects.map((object) => `${object}\n`).join('');
    return (await execGit(own, folder, args, [], input)).stdout;
  };
  const said = await ask(commits, '--batch');
  const parentsOf = new Map<string, string[]>();
  for (const part of said.split(/^(?=[0-9a-f]{40,64} commit \d+$)/m)) {
    const header = part.slice(0, Math.max(part.indexOf('\n\n'), 0));
    const commit = header.slice(0, header.indexOf(' '));
    parentsOf.set(
      commit,
      [...header.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent as string),
    );
  }
  const parents = [...parentsOf.values()].flat();
  if (parents.length === 0) return [];
  const missing = new Set(
    [...(await ask(parents, '--batch-check')).matchAll(/^([0-9a-f]+) missing$/gm)].map(
      ([, one]) => one,
    ),
  );
  return commits.filter((commit) => parentsOf.get(commit)?.some((parent) => missing.has(parent)));
}
