import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Separate from the worker's environment: the output of `ps` must not depend on a locale. */
const OPTIONS = {
  env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  maxBuffer: 64 << 20,
};

/** What `ps` prints, on systems without /proc. */
export async function runPs(args: string[]): Promise<string> {
  return (await promisify(execFile)('ps', args, OPTIONS)).stdout;
}
