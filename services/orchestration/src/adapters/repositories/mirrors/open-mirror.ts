import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeOwnFolder, removeLinks, writeOwnFile } from './own-files';
import type { RepositoryFolder } from './repository-folder';

const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** For the agents' own git, which reads it through their worktrees; written anew so that what one sets does not last. */
async function writeConfig(mirror: string, url: string): Promise<void> {
  const lines = [
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true',
    '[extensions]\n\tworktreeConfig = true',
    '[gc]\n\tauto = 0',
    '[maintenance]\n\tauto = false',
    `[remote "origin"]\n\turl = ${quoted(url)}\n\tfetch = +refs/heads/*:refs/remotes/origin/*`,
  ];
  await writeOwnFile(join(mirror, 'config'), `${lines.join('\n')}\n`);
  await writeOwnFile(join(mirror, 'config.worktree'), '[core]\n\tbare = true\n');
}

/** Shared by all agents of the project: one would run in the runs of the others. */
const SHARED_PROGRAMS = ['hooks', join('info', 'attributes')];

/**
 * Makes the mirror where there is none, or a part of one, and what in it is a setting as it should be.
 * @throws RepositoryFailure where a link lies in the place of one of its folders
 */
export async function openMirror(
  root: string,
  { mirror, worktree, worktreeData, placed }: RepositoryFolder,
  url: string,
): Promise<void> {
  const parts = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];
  for (const part of parts) await makeOwnFolder(root, join(mirror, part));
  for (const path of [worktree, worktreeData, placed]) await makeOwnFolder(root, dirname(path));
  // From above, so that none of them is itself reached by a link.
  const written = [mirror, dirname(worktreeData), worktreeData, join(worktreeData, 'logs')];
  for (const path of written) await removeLinks(path);
  await writeConfig(mirror, url);
  await writeOwnFile(join(mirror, 'HEAD'), 'ref: refs/heads/main\n');
  for (const name of SHARED_PROGRAMS)
    await rm(join(mirror, name), { recursive: true, force: true });
}
