import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { failure } from '../repository-failure';

/**
 * Writes a file where agents write too: whole or not at all, and in place of a link that lies there, never to what it
 * leads to.
 */
export async function writeOwnFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  await writeFile(part, text, { flag: 'wx', mode: 0o600 });
  try {
    await rename(part, path).catch(async () => {
      // A folder, which nothing but a removal makes way.
      await rm(path, { recursive: true, force: true });
      await rename(part, path);
    });
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Makes the folder `path` and what it lies in, below `root`, one by one and through no link.
 * @throws RepositoryFailure where something else lies in the place of one of them
 */
export async function makeOwnFolder(root: string, path: string): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  let at = root;
  for (const name of relative(root, path).split(sep)) {
    at = join(at, name);
    await mkdir(at, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    if ((await lstat(at)).isDirectory()) continue;
    const text = `a link or a file lies in the place of a folder: ${relative(root, at)}`;
    throw failure('repository_failed', text);
  }
}

/** Removes links that lie in a folder of git's: it makes none there, and would write to what one leads to. */
export async function removeLinks(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (entry.isSymbolicLink()) await rm(join(folder, entry.name), { force: true });
  }
}
