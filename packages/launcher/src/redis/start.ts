import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { isSame } from '@switchyard/bootstrap/identity';
import { readJson, writeJson } from '@switchyard/bootstrap/lock';
import { step } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from '../process/lifecycle.js';
import type { ServerProcess } from '../process/server.js';
import { seekRedis } from '../programs/redis.js';
import type { KeptServer } from '../services/keep-up.js';
import type { Places, Settings } from '../settings.js';
import { type RedisOptions, startRedisServer, stopServer, untilPong } from './server.js';

/** The server on a DATA_DIR, or on the folder of temporary servers. */
export async function startRedis(
  life: Lifecycle,
  { root, env, dataDir, redisFile, logDir }: Places & Pick<Settings, 'root' | 'env'>,
  { durable, variable }: { durable: boolean; variable?: string },
): Promise<KeptServer & { url: string }> {
  const current: { server?: ServerProcess } = {};
  life.onEnd('redis', () => current.server && stopServer(current.server, life.now));
  const record: ServerProcess | undefined = readJson(redisFile);
  const password = settlePassword(dataDir);
  const hold = (server: ServerProcess) => {
    current.server = server;
    writeJson(redisFile, server);
  };
  const program = await seekRedis(root, env, { signal: life.stop, variable });
  const { options, server } = await step('start Redis', async () => {
    const options: RedisOptions = {
      program,
      durable,
      password,
      port: record?.port,
      folder: path.join(dataDir, 'redis'),
      logFile: path.join(logDir, 'redis.log'),
      signal: life.stop,
    };
    const found = await adopt(record, password, life.stop);
    if (found) hold(found);
    const server = found ?? (await startRedisServer(options, hold));
    const reused = found ? ' (reused, it was still running)' : '';
    const how = durable ? reused : ' (temporary)';
    return { options, server, text: `${program.label} on 127.0.0.1:${server.port}${how}` };
  });
  return {
    url: `redis://:${password}@127.0.0.1:${server.port}`,
    pid: () => current.server?.pid ?? 0,
    restart: () => startRedisServer({ ...options, port: current.server?.port }, hold),
  };
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

/**
 * A Redis that outlived a killed launcher: ours when its process is the one written down. One that does not
 * take our password, as an earlier release started it, is ended; the next one reads what it kept.
 */
async function adopt(
  record: ServerProcess | undefined,
  password: string,
  signal: AbortSignal,
): Promise<ServerProcess | undefined> {
  if (!record || !isSame(record)) return undefined;
  if (await untilPong(record, password, signal, 10_000)) return record;
  await stopServer(record);
  return undefined;
}
