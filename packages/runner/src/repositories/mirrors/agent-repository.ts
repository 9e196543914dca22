import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Controls } from '../control-folder';
import { writing } from '../git/git-access';
import { type GitSurroundings, runGit } from '../git/run-git';
import type { RepositoryFolder } from './repository-folder';

export interface Author {
  id: string;
  name: string;
}

export interface Origin {
  url: string;
  author: Author;
}

const quoted = (value: string) =>
  `"${value
    .replace(/\p{Cc}/gu, ' ')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')}"`;
const nameOf = (author: Author) => author.name.replace(/[\p{Cc}"\\<>]/gu, ' ').trim();

const configOf = ({ url, author }: Origin) => `[gc]
\tauto = 0
[maintenance]
\tauto = false
[remote "origin"]
\turl = ${quoted(url)}
\tfetch = +refs/heads/*:refs/remotes/origin/*
[user]
\tname = ${quoted(nameOf(author))}
\temail = ${author.id}@agents.invalid
`;

/**
 * Creates a complete git directory in the worktree. The git directory borrows objects from the
 * mirror. A sandboxed git copies it from a template, so that this process writes nothing in the
 * worktree.
 */
export async function initRepository(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  controls: Controls,
  origin: Origin,
): Promise<void> {
  const { mirror, worktree, worktreeData } = folder;
  const template = join(controls.folder, randomUUID());
  const objects = join(worktreeData, 'objects');
  await mkdir(join(template, 'objects', 'info'), { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) =>
    writeFile(join(template, name), text, { flag: 'wx', mode: 0o600 });
  await write('config', configOf(origin));
  // The path is relative, so that the mirror and the worktree data can be moved together.
  const borrowed = relative(objects, join(mirror, 'objects'));
  await write(join('objects', 'info', 'alternates'), `${borrowed}\n`);
  const within = { ...surroundings, access: writing([worktree], [template, mirror]) };
  const init = [
    'init',
    '--quiet',
    '--bare',
    '--initial-branch=main',
    `--template=${template}`,
    worktreeData,
  ];
  await runGit(within, 'creating the working directory', worktree, init);
  const work = ['config', '--file', join(worktreeData, 'config'), 'core.bare', 'false'];
  await runGit(within, 'creating the working directory', worktree, work);
}
