import { realpath } from 'node:fs/promises';
import { posix, sep } from 'node:path';

const withoutEnd = (path: string) =>
  path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;

const isInside = (path: string, root: string) => {
  const [inner, outer] = [withoutEnd(path), withoutEnd(root)];
  return inner === outer || inner.startsWith(outer === sep ? sep : outer + sep);
};

/** By its spelling alone: what is asked of a path when it is written, maybe on another host. */
export function mayName(roots: string[] | 'any', path: string): boolean {
  if (roots === 'any') return true;
  const plain = posix.normalize(path);
  return roots.some((root) => isInside(plain, posix.normalize(root)));
}

/**
 * By what it really is where it is used: a link that leads out of the roots is not followed. A folder that is
 * not there is left to whoever starts in it.
 */
export async function mayEnter(roots: string[] | 'any', path: string): Promise<boolean> {
  if (roots === 'any') return true;
  if (!mayName(roots, path)) return false;
  const real = await realpath(path).catch(() => null);
  if (real === null) return true;
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  return realRoots.some((root) => isInside(real, root));
}
