import { delimiter, resolve, sep } from 'node:path';
import { isProgram } from '../look-at-path';
import { SpawnError } from './sandboxed-child';

/** The default of execvp(3) without PATH. */
const DEFAULT_PATH = '/bin:/usr/bin';

/**
 * Searches for a command's file as execvp(3) does. Resolves a command with a slash against `cwd`.
 * @throws SpawnError ENOENT, or EACCES for a file that is not executable
 */
export function locateProgram(command: string, path: string | undefined, cwd: string): string {
  if (command.includes(sep)) return resolve(cwd, command);
  let isForbidden = false;
  for (const folder of (path ?? DEFAULT_PATH).split(delimiter)) {
    const candidate = resolve(cwd, folder, command);
    const found = isProgram(candidate);
    if (found === true) return candidate;
    isForbidden ||= found === 'forbidden';
  }
  const code = isForbidden ? 'EACCES' : 'ENOENT';
  throw new SpawnError(code, `${command} cannot be executed (${code})`);
}
