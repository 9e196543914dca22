import { realpath } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';

const COMPANY = '{companyId}';

export type WorkspaceRoots = string[] | 'any';

const partsOf = (root: string) => posix.normalize(root).split('/');

export const isRoot = (root: string) =>
  partsOf(root).every((part) => part === COMPANY || !/[{}]/.test(part));

export const isRootOfOne = (root: string) => partsOf(root).includes(COMPANY);

const withoutEnd = (path: string) =>
  path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;

const isInside = (path: string, root: string) => {
  const [inner, outer] = [withoutEnd(path), withoutEnd(root)];
  return inner === outer || inner.startsWith(outer === sep ? sep : outer + sep);
};

const named = (root: string, companyId: string) =>
  posix.normalize(root).replaceAll(COMPANY, companyId);

/** Checks only the text of a path, because the path may exist on another host. */
export function isAllowedPath(roots: WorkspaceRoots, companyId: string, path: string): boolean {
  if (roots === 'any') return true;
  const plain = posix.normalize(path);
  return roots.some((root) => isInside(plain, named(root, companyId)));
}

const realOf = (path: string) => realpath(path).catch(() => path);

/**
 * Resolves only links above the company's part of the path, because the operator created them.
 * Links below it could lead to another company.
 */
async function realRoot(root: string, companyId: string): Promise<string> {
  const whole = posix.normalize(root);
  const at = whole.indexOf(COMPANY);
  if (at < 0) return realOf(whole);
  return join(await realOf(whole.slice(0, at)), named(whole.slice(at), companyId));
}

/**
 * Checks the real path on the host on which it is used. A missing folder is reported later, when
 * the process starts.
 */
export async function mayEnter(
  roots: WorkspaceRoots,
  companyId: string,
  path: string,
): Promise<boolean> {
  return (await allowedFolder(roots, companyId, path)) !== null;
}

export async function allowedFolder(
  roots: WorkspaceRoots,
  companyId: string,
  path: string,
): Promise<string | null> {
  if (roots === 'any') return realOf(path);
  if (!isAllowedPath(roots, companyId, path)) return null;
  const real = await realpath(path).catch(() => null);
  if (real === null) return path;
  const realRoots = await Promise.all(roots.map((root) => realRoot(root, companyId)));
  return realRoots.some((root) => isInside(real, root)) ? real : null;
}
