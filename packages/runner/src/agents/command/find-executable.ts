import { delimiter, resolve, sep } from 'node:path';
import { isProgram } from '@switchyard/sandbox';

export function findExecutable(
  command: string,
  path: string | undefined,
  cwd: string,
): string | null {
  const folders = command.includes(sep) ? [''] : (path ?? '').split(delimiter);
  for (const folder of folders) {
    const candidate = resolve(cwd, folder, command);
    if (isProgram(candidate) === true) return candidate;
  }
  return null;
}
