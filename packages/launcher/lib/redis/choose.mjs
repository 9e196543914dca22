import path from 'node:path';
import { problem } from '../problem.mjs';
import { findInstalled } from './installed.mjs';
import { fromPackage } from './package.mjs';

const INSTALL = {
  darwin: 'brew install redis',
  linux: 'redis-server or valkey-server, of your distribution',
};

/** Three ways, the shortest first; the port is published on this machine alone. */
const waysOut = (variable) =>
  [
    `One of three. Install it: ${INSTALL[process.platform] ?? INSTALL.linux}.`,
    `Or run one in Docker and set ${variable}=redis://:choose-one@127.0.0.1:6379 :
         docker run -d -p 127.0.0.1:6379:6379 redis:8 redis-server --requirepass choose-one`,
    `Or set ${variable} to a server that you have: redis://:password@host:6379.`,
  ].join('\n       ');

/** What needs no packages of ours: may run while they are being installed. */
export async function seekRedis(root, env, { signal, variable = 'REDIS_URL' }) {
  const found =
    findInstalled(env) ?? (await fromPackage(path.join(root, '.cache/redis'), { signal }));
  if (found) return found;
  throw problem(
    'There is no Redis (6.2 or newer) or Valkey here, and no package of one to be had.',
    waysOut(variable),
  );
}
