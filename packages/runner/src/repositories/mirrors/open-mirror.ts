import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeOwnFolder, removeLinks, writeOwnFile } from './own-files';
import type { RepositoryFolder } from './repository-folder';

/** Files of the shared mirror through which an agent could run code in the runs of other agents. */
const SHARED_PROGRAMS = ['hooks', join('info', 'attributes'), 'config.worktree'];

/**
 * Creates or completes the mirror and resets its settings.
 * @throws RepositoryFailure if one of its folders is a link
 */
export async function openMirror(
  root: string,
  { mirror, worktree, placed }: RepositoryFolder,
): Promise<void> {
  const parts = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'];
  for (const part of parts) await makeOwnFolder(root, join(mirror, part));
  for (const path of [worktree, placed]) await makeOwnFolder(root, dirname(path));
  await removeLinks(mirror);
  await writeOwnFile(join(mirror, 'config'), CONFIG);
  await writeOwnFile(join(mirror, 'HEAD'), 'ref: refs/heads/main\n');
  for (const name of SHARED_PROGRAMS)
    await rm(join(mirror, name), { recursive: true, force: true });
}

/** git must never repack the mirror, because that could remove objects that agents borrow. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[gc]
\tauto = 0
[maintenance]
\tauto = false
`;
