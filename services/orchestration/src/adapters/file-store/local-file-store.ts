import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { assertStorageKey, type FileStore } from './file-store';

/** Makes a rename durable after a power failure. */
async function syncFolder(folder: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, 'r');
    await handle.sync();
  } catch {
  } finally {
    await handle?.close();
  }
}

export function openLocalFileStore(root: string): FileStore {
  const pathOf = (key: string) => {
    assertStorageKey(key);
    return join(root, key.slice(0, 2), key.slice(2, 4), key);
  };
  const partOf = (path: string) => `${path}.part`;

  return {
    write: async (key, source) => {
      const path = pathOf(key);
      const part = partOf(path);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        // `flush` syncs the data before the close, so that the rename never publishes an empty
        // file.
        const target = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
        await pipeline(source, target);
        await rename(part, path);
        await syncFolder(dirname(path));
      } catch (error) {
        source.destroy();
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(part, { force: true });
        throw error;
      }
    },
    open: async (key, range) => {
      try {
        const handle = await open(pathOf(key), 'r');
        return handle.createReadStream(range);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    remove: async (key) => {
      const path = pathOf(key);
      await rm(partOf(path), { force: true });
      await rm(path, { force: true });
    },
    close: async () => undefined,
  };
}
