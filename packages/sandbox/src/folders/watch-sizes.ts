import { statfs } from 'node:fs/promises';
import { isLargerThan } from './folder-size';

/**
 * Returns a function that finds a folder in which more than `bytes` were written since now. It only walks a folder whose file
 * system has lost that much room since the last look, because walking a large working tree takes seconds.
 */
export function watchSizes(
  folders: readonly string[],
  bytes: number,
): () => Promise<string | null> {
  const before = Promise.all(folders.map(roomOf));
  const since = Date.now();
  return async () => {
    const room = await before;
    for (const [at, folder] of folders.entries()) {
      const now = await roomOf(folder);
      // Room that others made must not hide what the run writes.
      const most = Math.max(room[at] as number, now);
      room[at] = most;
      if (most - now < bytes) continue;
      room[at] = now;
      if (await isLargerThan(folder, bytes, since)) return folder;
    }
    return null;
  };
}

/** Free bytes; 0 where the system does not say. */
async function roomOf(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => null);
  return disk ? disk.bavail * disk.bsize : 0;
}
