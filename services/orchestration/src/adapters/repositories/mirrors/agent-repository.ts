import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Controls } from '../control-folder';
import { writing } from '../git/git-access';
import { type GitSurroundings, runGit } from '../git/run-git';
import type { RepositoryFolder } from './repository-folder';

/** So that the agent's commits have an author without a configuration of the host's. */
export interface Author {
  id: string;
  name: string;
}

/** What of a repository an agent's own begins with. */
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
 * Makes the git directory `at`, in the agent's worktree: a whole one, which looks for objects in the mirror that it has
 * not itself. git copies what is laid out here, so that nothing but a command in the worktree writes there.
 */
export async function initRepository(
  surroundings: GitSurroundings,
  folder: RepositoryFolder,
  controls: Controls,
  { at, origin }: { at: string; origin: Origin },
): Promise<void> {
  const { mirror, worktree } = folder;
  const template = join(controls.folder, randomUUID());
  const objects = join(at, 'objects');
  await mkdir(join(template, 'objects', 'info'), { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) =>
    writeFile(join(template, name), text, { flag: 'wx', mode: 0o600 });
  await write('config', configOf(origin));
  // From the one to the other, so that both may be moved together.
  const borrowed = relative(objects, join(mirror, 'objects'));
  await write(join('objects', 'info', 'alternates'), `${borrowed}\n`);
  const within = { ...surroundings, access: writing([worktree], [template, mirror]) };
  const init = ['init', '--quiet', '--bare', '--initial-branch=main', `--template=${template}`, at];
  await runGit(within, 'making the working directory', worktree, init);
  const work = ['config', '--file', join(at, 'config'), 'core.bare', 'false'];
  await runGit(within, 'making the working directory', worktree, work);
}
