import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Runs `work` in a new private folder. Programs read configuration from the folder in which they
 * start, and agents may have written to older folders.
 */
export async function inFreshFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await realpath(await mkdtemp(join(parent, 'fresh-')));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
