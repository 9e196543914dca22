import { accessSync, constants, realpathSync, type Stats, statSync } from 'node:fs';

/*
 * A start looks at some forty paths. Each look takes a few microseconds, and twenty times that by way of the thread pool;
 * the start itself waits for looks at the same paths.
 */

/** What a path leads to; null where there is nothing, or nothing that we may look at. */
export function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The path without links; null where it leads to nothing. */
export function realPathOf(path: string): string | null {
  // An exception costs more than a look.
  if (statOf(path) === null) return null;
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** Whether it is a file that may be executed; `forbidden` for one that may not. */
export function isProgram(path: string): boolean | 'forbidden' {
  try {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'forbidden' : false;
  }
}
