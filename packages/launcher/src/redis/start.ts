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

export async function provideRedis(
  life: Lifecycle,
  settings: Settings,
): Promise<{ url: string; server?: KeptProcess }> {
  const given = settings.env.REDIS_URL;
  if (given) {
    await step('connect to the Redis of REDIS_URL', () => reachRedis(given));
    return { url: given };
  }
  const server = await startRedis(life, settings, { durable: true });
  return { url: server.url, server };
}

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
        // Starts Redis in the folder, because Redis fails on a path with a space.
        const env = { ...process.env, ...program.env };
        return [program.command, [CONFIGURATION], { cwd: folder, env }];
      },
      isReady: async (port) => {
        const reply = await ping(port, '127.0.0.1', password);
        if (reply === '+PONG') return true;
        return /^-(WRONGPASS|ERR)/.test(reply) ? false : undefined;
      },
    });
    const reused = server.isReused ? ' (reused, it was still running)' : '';
    const how = durable ? reused : ' (temporary)';
    return { server, text: `${program.label} on 127.0.0.1:${server.port}${how}` };
  });
  return { ...server, url: `redis://:${password}@127.0.0.1:${server.port}` };
}

function settlePassword(dataDir: string): string {
  const file = path.join(dataDir, 'redis.json');
  const kept = readJson(file)?.password;
  if (kept) return kept;
  const password = randomBytes(24).toString('base64url');
  writeJson(file, { password });
  return password;
}

/**
 * Disables commands that our clients do not need and that could read files or run code as the
 * server's account.
 */
const CLOSED = ['acl', 'config', 'debug', 'migrate', 'module', 'replicaof', 'slaveof'];

/** Stores a hash of the password in a file, because every process can read command lines. */
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
