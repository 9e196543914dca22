import { statfs } from 'node:fs/promises';
import { isLargerThan } from './folder-size';

/**
 * Returns a function that finds a folder in which more than `bytes` were written since this call.
 * The function only measures a folder if its file system lost that much free space since the last
 * check, because measuring a large working tree takes seconds.
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
      // Compares with the largest free space seen, so that space freed by others does not hide what
      // the run writes.
      const most = Math.max(room[at] as number, now);
      room[at] = most;
      if (most - now < bytes) continue;
      room[at] = now;
      if (await isLargerThan(folder, bytes, since)) return folder;
    }
    return null;
  };
}

async function roomOf(folder: string): Promise<number> {
  const disk = await statfs(folder).catch(() => null);
  return disk ? disk.bavail * disk.bsize : 0;
}
