import { randomUUID } from 'node:crypto';
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes; shorter than the system's 4,096 by more than the longest name. */
const LONGEST_PATH = 3_000;

/**
 * Removes a folder in any state that a program may leave: without rights on it, or with paths that are too long for the
 * system. Continues past what it cannot remove. No process may be writing to the folder.
 * @throws Error naming what is left
 */
export async function removeTree(root: string): Promise<void> {
  try {
    await rm(root, { recursive: true, force: true });
  } catch {
    await repairAndRemove(root);
  }
}

async function repairAndRemove(root: string): Promise<void> {
  const left: string[] = [];
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    await clear(folder, { root, waiting, left });
  }
  await rmdir(root).catch((error) => {
    if (left.length === 0) left.push(describe(root, error));
  });
  if (left.length === 0) return;
  const more = left.length > 5 ? ` and ${left.length - 5} more` : '';
  throw new Error(`could not be removed: ${left.slice(0, 5).join(', ')}${more}`);
}

interface Removal {
  root: string;
  /** Folders that were moved up, because the paths of what they hold are too long. */
  waiting: string[];
  left: string[];
}

async function clear(folder: string, removal: Removal): Promise<void> {
  const attempt = async (path: string, remove: () => Promise<void>) => {
    await remove().catch((error) => removal.left.push(describe(path, error)));
  };
  await chmod(folder, 0o700).catch(() => {});
  const entries = await readdir(folder, { withFileTypes: true }).catch((error) => {
    removal.left.push(describe(folder, error));
    return [];
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) await attempt(path, () => unlink(path));
    else if (Buffer.byteLength(path) < LONGEST_PATH) await clear(path, removal);
    else {
      const moved = join(removal.root, randomUUID());
      await attempt(path, async () => {
        await rename(path, moved);
        removal.waiting.push(moved);
      });
    }
  }
  if (folder !== removal.root) await attempt(folder, () => rmdir(folder));
}

const describe = (path: string, error: NodeJS.ErrnoException) =>
  `${path.length > 200 ? `${path.slice(0, 200)}…` : path} (${error.code})`;
