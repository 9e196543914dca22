import { constants, type Stats } from 'node:fs';
import { chmod, lstat, open, readdir } from 'node:fs/promises';

const SLASH = Buffer.from('/');
const BYTES_OF_A_NAME = 1024;
const BYTES_OF_A_BLOCK = 512;

/**
 * Returns true if a folder contains more than `bytes` written since a time in ms. Counts a file
 * with several names once. Opens an unreadable folder only if its mode was changed since then.
 */
export async function isLargerThan(root: string, bytes: number, since = 0): Promise<boolean> {
  let sum = 0;
  const shared = new Set<string>();
  const waiting = [Buffer.from(root)];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const entries = await entriesOf(folder, since);
    if (!entries) return true;
    for (const entry of entries) {
      const path = Buffer.concat([folder, SLASH, entry.name]);
      const seen = await lstat(path).catch(() => null);
      if (!seen || seen.ctimeMs >= since) sum += BYTES_OF_A_NAME + bytesOf(seen, shared);
      if (sum > bytes) return true;
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return false;
}

function bytesOf(seen: Stats | null, shared: Set<string>): number {
  if (!seen) return 0;
  if (seen.nlink > 1 && !seen.isDirectory()) {
    const file = `${seen.dev}:${seen.ino}`;
    if (shared.has(file)) return 0;
    shared.add(file);
  }
  return seen.blocks * BYTES_OF_A_BLOCK;
}

/** @returns null for a folder whose path is too long to look into: it could hold anything */
async function entriesOf(folder: Buffer, since: number) {
  const read = () => readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENAMETOOLONG') return null;
    if (code !== 'EACCES') return [];
    const { ctimeMs } = await lstat(folder).catch(() => ({ ctimeMs: 0 }));
    if (ctimeMs < since) return [];
    await openUp(folder).catch(() => {});
    return read().catch(() => []);
  }
}

const O_PATH = 0o10000000;

/** Changes the opened folder, because the agent could replace its path by a link. */
async function openUp(folder: Buffer): Promise<void> {
  const handle = await open(folder, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
  try {
    await chmod(`/proc/self/fd/${handle.fd}`, 0o700);
  } finally {
    await handle.close();
  }
}
