import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Runs `work` in a new private folder, because programs read configuration from their working
 * directory, and an agent may have written to an existing folder.
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
