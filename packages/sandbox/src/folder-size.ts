import { chmod, lstat, readdir } from 'node:fs/promises';

const SLASH = Buffer.from('/');
/** What a name takes at least, so that empty files count too. */
const BYTES_OF_A_NAME = 1024;
const BYTES_OF_A_BLOCK = 512;

/**
 * Whether a folder takes more room on its disk than `bytes`. What is removed meanwhile does not count; files that are
 * removed and still open are not seen. Opens folders that their owner has closed.
 */
export async function isLargerThan(root: string, bytes: number): Promise<boolean> {
  let sum = 0;
  const waiting = [Buffer.from(root)];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    for (const entry of await entriesOf(folder)) {
      const path = Buffer.concat([folder, SLASH, entry.name]);
      const seen = await lstat(path).catch(() => null);
      sum += Math.max((seen?.blocks ?? 0) * BYTES_OF_A_BLOCK, BYTES_OF_A_NAME);
      if (sum > bytes) return true;
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return false;
}

async function entriesOf(folder: Buffer) {
  const read = () => readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return [];
    await chmod(folder, 0o700).catch(() => {});
    return read().catch(() => []);
  }
}
