import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { failure } from '../repository-failure';

export async function writeOwnFile(path: string, text: string): Promise<void> {
  const part = `${path}.${randomUUID()}.part`;
  await writeFile(part, text, { flag: 'wx', mode: 0o600 });
  try {
    await rename(part, path).catch(async () => {
      await rm(path, { recursive: true, force: true });
      await rename(part, path);
    });
  } finally {
    await rm(part, { force: true });
  }
}

/**
 * Creates the folders of `path` below `root` without following links.
 * @throws RepositoryFailure if a part of the path is not a folder
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
    const text = `${relative(root, at)} must be a folder, but is a link or a file`;
    throw failure('repository_failed', text);
  }
}

/** git creates no links in this folder, but would write through existing ones. */
export async function removeLinks(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    if (entry.isSymbolicLink()) await rm(join(folder, entry.name), { force: true });
  }
}
