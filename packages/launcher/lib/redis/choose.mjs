import { existsSync } from 'node:fs';
import path from 'node:path';
import { problem } from '../problem.mjs';
import { notice } from '../terminal/steps.mjs';
import { findInstalled } from './installed.mjs';
import { fromPackage } from './package.mjs';

function inJavaScript(root) {
  const cli = path.join(root, 'packages/launcher/node_modules/js-redis-server/dist/cli.js');
  if (!existsSync(cli)) return undefined;
  const label = 'js-redis-server (JavaScript)';
  return { command: process.execPath, args: [cli], env: {}, label, isJavaScript: true };
}

/** What needs no packages of ours: may run while they are being installed. */
export async function seekRedis(root, env, { signal }) {
  return findInstalled(env) ?? (await fromPackage(path.join(root, '.cache/redis'), { signal }));
}

export function orJavaScript(found, root) {
  if (found) return found;
  const fallback = inJavaScript(root);
  if (fallback) {
    notice('no Redis here: a JavaScript stand-in is used. It is slow and forgets its queue at the');
    notice('end (work is found again in the database). Install redis-server, or set REDIS_URL.');
    return fallback;
  }
  throw problem(
    'There is no Redis (6.2 or newer) or Valkey here, and none could be unpacked.',
    'Install redis-server or valkey-server, or set REDIS_URL to a server.',
  );
}
