import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { step } from '@switchyard/bootstrap/terminal';
import type { KeptProcess } from '../process/keep-up.js';
import type { Lifecycle } from '../process/lifecycle.js';
import { type RunningServer, startServer } from '../process/server.js';
import { seekRedis } from '../programs/redis.js';
import type { Places, Settings } from '../settings.js';
import { ping, reachRedis } from './given.js';

const CONFIGURATION = 'redis.conf';

/** The given Redis, or one of ours. */
export async function provideRedis(
  life: Lifecycle,
  settings: Settings,
): Promise<{ url: string; server?: KeptProcess }> {
  const given = settings.env.REDIS_URL;
  if (given) {
    await step('reach the given Redis', () => reachRedis(given));
    return { url: given };
  }
  const server = await startRedis(life, settings, { durable: true });
  return { url: server.url, server };
}

/** The server on a DATA_DIR, or on the folder of temporary servers. */
export async function startRedis(
  life: Lifecycle,
  { root, env, dataDir, runDir, logDir }: Places & Pick<Settings, 'root' | 'env'>,
  { durable, variable }: { durable: boolean; variable?: string },
): Promise<RunningServer & { url: string }> {
  const password = settlePassword(dataDir);
  const folder = path.join(dataDir, 'redis');
  const program = await seekRedis(root, env, { signal: life.stop, variable });
  const { server } = await step('start Redis', async () => {
    const server = await startServer(life, {
      name: 'Redis',
      recordFile: path.join(runDir, 'redis.json'),
      logFile: path.join(logDir, 'redis.log'),
      folder,
      stopSignal: 'SIGTERM',
      prepare: () => mkdirSync(folder, { recursive: true, mode: 0o700 }),
      command: (port) => {
        const text = configuration(port, password, durable);
        writeFileSync(path.join(folder, CONFIGURATION), text, { mode: 0o600 });
        // The folder is its working directory: as an argument a space in the path would break it.
        const env = { ...process.env, ...program.env };
        return [program.command, [CONFIGURATION], { cwd: folder, env }];
      },
      isReady: async (port) => {
        const reply = await ping(port, '127.0.0.1', password);
        if (reply === '+PONG') return true;
        // It runs with another password.
        return /^-(WRONGPASS|ERR)/.test(reply) ? false : undefined;
      },
    });
    const reused = server.isReused ? ' (reused, it was still running)' : '';
    const how = durable ? reused : ' (temporary)';
    return { server, text: `${program.label} on 127.0.0.1:${server.port}${how}` };
  });
  return { ...server, url: `redis://:${password}@127.0.0.1:${server.port}` };
}

/** Kept in DATA_DIR for its owner's eyes, so that a server that outlived its launcher can be used again. */
function settlePassword(dataDir: string): string {
  const file = path.join(dataDir, 'redis.json');
  const kept = readJson(file)?.password;
  if (kept) return kept;
  const password = randomBytes(24).toString('base64url');
  writeJson(file, { password });
  return password;
}

/** What no client of ours needs, and what turns a key into files or code of the server's account. */
const CLOSED = ['acl', 'config', 'debug', 'migrate', 'module', 'replicaof', 'slaveof'];

/** The password is in a file, as a hash, because everybody reads the arguments of a process. */
function configuration(port: number, password: string, durable: boolean): string {
  const hash = createHash('sha256').update(password).digest('hex');
  const closed = CLOSED.map((command) => `-${command}`).join(' ');
  return [
    `port ${port}`,
    'bind 127.0.0.1',
    'daemonize no',
    'maxmemory-policy noeviction',
    `appendonly ${durable ? 'yes' : 'no'}`,
    'save ""',
    `user default on #${hash} ~* &* +@all ${closed}`,
    '',
  ].join('\n');
}
