import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/** What is this host's and not an agent's. */
export interface ClosedPlaces {
  dataDir: string;
  /** The operator's, in local trusted mode. */
  home: string | null;
}

/** Programs, libraries and settings of the system. */
const SYSTEM = [
  ...['/bin', '/boot', '/etc', '/lib', '/lib64', '/proc', '/sbin', '/sys'],
  ...['/usr/bin', '/usr/lib', '/usr/local/bin', '/usr/local/lib', '/usr/sbin'],
];

/**
 * Whether no agent works in this folder, whoever named it: in local trusted mode agents name directories too, and what a
 * run works in is open to it whole. `path` is a real one.
 */
export async function isClosedFolder(
  path: string,
  { dataDir, home }: ClosedPlaces,
): Promise<boolean> {
  const data = await realOf(dataDir);
  const whole = home === null ? null : await realOf(home);
  const closed = [data, ...SYSTEM];
  if ([...closed, ...(whole === null ? [] : [whole])].some((kept) => isIn(kept, path))) return true;
  if (closed.some((kept) => isIn(path, kept))) return true;
  // Keys, sign-ins and settings of the operator's programs.
  return whole !== null && whole !== sep && path.startsWith(`${whole}${sep}.`);
}

const isIn = (path: string, folder: string) =>
  path === folder || path.startsWith(folder === sep ? sep : folder + sep);

const realOf = (path: string) => realpath(path).catch(() => path);
