import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const OPTIONS = {
  env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
  maxBuffer: 64 << 20,
};

export async function runPs(args: string[]): Promise<string> {
  return (await promisify(execFile)('ps', args, OPTIONS)).stdout;
}
