import { constants } from 'node:fs';
import { chmod, lstat, open, readdir } from 'node:fs/promises';

const SLASH = Buffer.from('/');
/** Minimum size of an entry, so that empty files count too. */
const BYTES_OF_A_NAME = 1024;
const BYTES_OF_A_BLOCK = 512;

export async function isLargerThan(root: string, bytes: number): Promise<boolean> {
  let sum = 0;
  const waiting = [Buffer.from(root)];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const entries = await entriesOf(folder);
    if (!entries) return true;
    for (const entry of entries) {
      const path = Buffer.concat([folder, SLASH, entry.name]);
      const seen = await lstat(path).catch(() => null);
      sum += Math.max((seen?.blocks ?? 0) * BYTES_OF_A_BLOCK, BYTES_OF_A_NAME);
      if (sum > bytes) return true;
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return false;
}

/** @returns null for a folder whose path is too long to look into: it could hold anything */
async function entriesOf(folder: Buffer) {
  const read = () => readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENAMETOOLONG') return null;
    if (code !== 'EACCES') return [];
    await openUp(folder).catch(() => {});
    return read().catch(() => []);
  }
}

const O_PATH = 0o10000000;

/** Changes the opened folder: the agent could replace its path by a link. */
async function openUp(folder: Buffer): Promise<void> {
  const handle = await open(folder, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
  try {
    await chmod(`/proc/self/fd/${handle.fd}`, 0o700);
  } finally {
    await handle.close();
  }
}
