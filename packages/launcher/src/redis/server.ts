import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { end } from '../process/end.js';
import { type ServerProcess, type Start, startServer, untilReady } from '../process/server.js';
import type { Redis } from '../programs/redis.js';
import { pingWith } from './ping.js';

export interface RedisOptions extends Pick<Start, 'port' | 'folder' | 'logFile' | 'signal'> {
  program: Redis;
  durable: boolean;
  password: string;
}

const CONFIGURATION = 'redis.conf';

export function startRedisServer(
  options: RedisOptions,
  onLaunch: Start['onLaunch'],
): Promise<ServerProcess> {
  const { program, folder, password, signal } = options;
  return startServer({
    ...options,
    name: 'Redis',
    onLaunch,
    command: (port) => {
      const file = path.join(folder, CONFIGURATION);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(file, configuration(options, port), { mode: 0o600 });
      // The folder is its working directory: as an argument a space in the path would break it.
      const env = { ...process.env, ...program.env };
      return [program.command, [CONFIGURATION], { cwd: folder, env }];
    },
    isReady: (server) => untilPong(server, password, signal, 60_000),
    stop: stopServer,
  });
}

/** What no client of ours needs, and what turns a key into files or code of the server's account. */
const CLOSED = ['acl', 'config', 'debug', 'migrate', 'module', 'replicaof', 'slaveof'];

/** In a file, because everybody reads the arguments of a process; and there as a hash. */
function configuration({ durable, password }: RedisOptions, port: number): string {
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

/** False as soon as it is certain: the process is over, or the server wants another password, or none. */
export const untilPong = (
  server: ServerProcess,
  password: string,
  signal: AbortSignal,
  waitMs: number,
) =>
  untilReady(server, signal, waitMs, async () => {
    const reply = await pingWith(password, server.port);
    if (reply === '+PONG') return true;
    return /^-(WRONGPASS|ERR)/.test(reply) ? false : undefined;
  });

export const stopServer = ({ pid }: ServerProcess, now?: AbortSignal) =>
  end(pid, { waitMs: 10_000, now });
