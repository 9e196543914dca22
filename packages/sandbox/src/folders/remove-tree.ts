import { randomUUID } from 'node:crypto';
import { chmod, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';

/**
 * Deepest level that is removed in place: a path has at most 4,096 bytes, so deeper folders are
 * moved to the root first.
 */
const MOST_LEVELS = 12;
const AT_ONCE = 64;
const SLASH = Buffer.from('/');

/**
 * Removes a folder in any state that a program may leave: without permissions, with paths that are
 * too long, or with names that are not UTF-8. Continues after errors. No process may be writing to
 * the folder.
 * @throws Error naming what could not be removed
 */
export async function removeTree(root: string): Promise<void> {
  try {
    await rm(root, { recursive: true, force: true });
  } catch {
    await repairAndRemove(root);
  }
}

async function repairAndRemove(root: string): Promise<void> {
  const removal: Removal = { root: Buffer.from(root), waiting: [], left: [] };
  const { waiting, left } = removal;
  for (let folder = removal.root; folder !== undefined; folder = waiting.pop() as Buffer) {
    await clear(folder, 0, removal);
  }
  await rmdir(root).catch((error) => {
    if (left.length === 0) left.push(describe(removal.root, error));
  });
  if (left.length === 0) return;
  const more = left.length > 5 ? ` and ${left.length - 5} more` : '';
  throw new Error(`files could not be removed: ${left.slice(0, 5).join(', ')}${more}`);
}

interface Removal {
  root: Buffer;
  waiting: Buffer[];
  left: string[];
}

async function clear(folder: Buffer, level: number, removal: Removal): Promise<void> {
  const attempt = (path: Buffer, act: () => Promise<void>) =>
    act().catch((error) => void removal.left.push(describe(path, error)));
  await chmod(folder, 0o700).catch(() => {});
  const folders: Buffer[] = [];
  const files: Buffer[] = [];
  await attempt(folder, async () => {
    for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([folder, SLASH, entry.name]);
      (entry.isDirectory() ? folders : files).push(path);
    }
  });
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    await Promise.all(some.map((path) => attempt(path, () => unlink(path))));
  }
  for (const path of folders) {
    if (level < MOST_LEVELS) await clear(path, level + 1, removal);
    else {
      const moved = Buffer.concat([removal.root, SLASH, Buffer.from(randomUUID())]);
      await chmod(path, 0o700).catch(() => {});
      await attempt(path, async () => {
        await rename(path, moved);
        removal.waiting.push(moved);
      });
    }
  }
  if (folder !== removal.root) await attempt(folder, () => rmdir(folder));
}

function describe(path: Buffer, { code }: NodeJS.ErrnoException): string {
  const text = path.toString();
  return `${text.length > 200 ? `${text.slice(0, 200)}…` : text} (${code})`;
}
