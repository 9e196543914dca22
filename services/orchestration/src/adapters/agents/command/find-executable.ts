import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve, sep } from 'node:path';

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Where a command would be found by a child with this PATH that starts in `cwd`; null for nowhere. */
export async function findExecutable(
  command: string,
  path: string | undefined,
  cwd: string,
): Promise<string | null> {
  const folders = command.includes(sep) ? [''] : (path ?? '').split(delimiter);
  for (const folder of folders) {
    const candidate = resolve(cwd, folder, command);
    if (await isExecutable(candidate)) return candidate;
  }
  return null;
}
