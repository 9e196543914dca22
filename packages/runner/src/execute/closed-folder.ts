import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';

export interface ClosedPlaces {
  dataDir: string;
  home: string | null;
}

const SYSTEM = [
  ...['/bin', '/boot', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys'],
  ...['/usr/bin', '/usr/lib', '/usr/local/bin', '/usr/local/lib', '/usr/sbin'],
];

/**
 * Returns true for folders in which no agent may work, because a run can write to its whole folder.
 * In local mode agents may choose any other folder. `path` must be a real path.
 */
export async function isClosedFolder(
  path: string,
  { dataDir, home }: ClosedPlaces,
): Promise<boolean> {
  const data = await realOf(dataDir);
  const whole = home === null ? null : await realOf(home);
  const closed = [data, ...SYSTEM];
  if ([...closed, ...(whole === null ? [] : [whole])].some((closedPath) => isIn(closedPath, path)))
    return true;
  if (closed.some((closedPath) => isIn(path, closedPath))) return true;
  return whole !== null && whole !== sep && path.startsWith(`${whole}${sep}.`);
}

const isIn = (path: string, folder: string) =>
  path === folder || path.startsWith(folder === sep ? sep : folder + sep);

const realOf = (path: string) => realpath(path).catch(() => path);
