import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, symlink } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Creates a link to `target` at `path`, below a folder that an agent writes to, unless the path
 * exists. Opens each folder of the path and keeps it open, because the agent could replace it with
 * a link.
 */
export async function linkInside(folder: string, path: string, target: string): Promise<void> {
  const isThere = await lstat(join(folder, path)).catch(() => null);
  if (isThere) return;
  const names = path.split('/');
  const last = names.pop() as string;
  const held: FileHandle[] = [];
  try {
    let at = await hold(folder, held);
    for (const name of names) {
      const inner = join(at, name);
      await mkdir(inner, { mode: 0o700 }).catch(ignore('EEXIST'));
      at = await hold(inner, held);
    }
    await symlink(target, join(at, last)).catch(ignore('EEXIST'));
  } catch (error) {
    if (!['ELOOP', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    await Promise.all(held.map((handle) => handle.close()));
  }
}

/** Returns a path that stays valid after renames on Linux, and `path` itself on other systems. */
async function hold(path: string, held: FileHandle[]): Promise<string> {
  const handle = await open(
    path,
    constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW,
  );
  held.push(handle);
  return process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
}

const ignore = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code !== code) throw error;
};
