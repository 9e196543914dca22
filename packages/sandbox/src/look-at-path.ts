import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';

/**
 * These functions are synchronous, because a start checks about 40 paths and the thread pool takes
 * 20 times as long per check.
 */

export function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export function realPathOf(path: string): string | null {
  if (statOf(path) === null) return null;
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

export function isProgram(path: string): boolean | 'forbidden' {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'forbidden' : false;
  }
}
