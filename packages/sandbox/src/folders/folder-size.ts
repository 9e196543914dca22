import { constants, type Stats } from 'node:fs';
import { chmod, type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises';

const SLASH = Buffer.from('/');
const BYTES_OF_A_NAME = 1024;
const BYTES_OF_A_BLOCK = 512;

/** In bytes. A folder with a longer path is opened first; the system's limit is 4,096. */
const LONGEST_PATH = 2_048;
const MAX_OPEN_FOLDERS = 64;

/**
 * Returns true if more than `bytes` were written to a folder since a time (Unix time in ms). A file
 * with several names counts once. A folder that became unreadable since then is made readable. A
 * folder nested deeper than MAX_OPEN_FOLDERS long paths counts as too large.
 */
export async function isLargerThan(root: string, bytes: number, since = 0): Promise<boolean> {
  let sum = 0;
  const shared = new Set<string>();
  // Contains paths to read, and handles to close after the folders below them have been read.
  const waiting: (Buffer | FileHandle)[] = [Buffer.from(root)];
  let openFolders = 0;
  try {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (!Buffer.isBuffer(next)) {
        await next.close();
        openFolders--;
        continue;
      }
      let folder = next;
      let handle: FileHandle | null = null;
      if (folder.length > LONGEST_PATH) {
        if (openFolders === MAX_OPEN_FOLDERS) return true;
        handle = await openFolder(folder).catch(() => null);
        if (!handle) continue;
        waiting.push(handle);
        openFolders++;
        folder = Buffer.from(`/proc/self/fd/${handle.fd}/.`);
      }
      const entries = await entriesOf(folder, since, handle);
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
  } finally {
    for (const left of waiting) if (!Buffer.isBuffer(left)) await left.close();
  }
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

/** Returns null for a folder that cannot be read, because it may contain any amount of data. */
async function entriesOf(folder: Buffer, since: number, handle: FileHandle | null) {
  const read = () => readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENAMETOOLONG') return null;
    if (code !== 'EACCES') return [];
  }
  const opened = handle ?? (await openFolder(folder).catch(() => null));
  if (!opened) return [];
  try {
    // Uses the open folder, because the agent could replace its path with a link.
    const path = `/proc/self/fd/${opened.fd}`;
    const { ctimeMs } = await stat(path);
    if (ctimeMs < since) return [];
    await chmod(path, 0o700);
  } catch {
    return [];
  } finally {
    if (opened !== handle) await opened.close();
  }
  return read().catch(({ code }: NodeJS.ErrnoException) => (code === 'EACCES' ? null : []));
}

const O_PATH = 0o10000000;

const openFolder = (folder: Buffer) =>
  open(folder, O_PATH | constants.O_NOFOLLOW | constants.O_DIRECTORY);
