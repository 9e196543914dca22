import { delimiter, resolve, sep } from 'node:path';
import { isProgram } from '../look-at-path';
import { SpawnError } from './sandboxed-child';

/** What execvp(3) searches where the environment has no PATH. */
const DEFAULT_PATH = '/bin:/usr/bin';

/**
 * The file that a command names, as execvp(3) finds it. A path is taken as it is given: whether it can be executed
 * shows when it is.
 * @throws SpawnError ENOENT, or EACCES when what was found may not be executed
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
  throw new SpawnError(code, `${command} can't be executed (${code})`);
}
