import { step } from '@switchyard/bootstrap/terminal';
import { UserError } from '@switchyard/bootstrap/user-error';
import type { KeptProcess } from './process/keep-up.js';
import type { Lifecycle } from './process/lifecycle.js';
import { ping } from './redis/ping.js';
import { startRedis } from './redis/start.js';
import type { Settings } from './settings.js';

/** The given Redis, or one of ours. */
export async function provideRedis(
  life: Lifecycle,
  settings: Settings,
): Promise<{ url: string; server?: KeptProcess }> {
  const given = settings.env.REDIS_URL;
  if (given) {
    await step('reach the given Redis', () => reach(given));
    return { url: given };
  }
  const server = await startRedis(life, settings, { durable: true });
  return { url: server.url, server };
}

export function checkRedisUrl(url: string | undefined): void {
  if (!url || (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol))) return;
  throw new UserError(
    'REDIS_URL is not a Redis address.',
    'Write it as redis://:password@host:6379',
  );
}

/** Anything that replies will do: with a password the reply is -NOAUTH, with TLS a closed line. */
async function reach(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  if (protocol === 'rediss:' || (await ping(Number(port || 6379), hostname))) return;
  throw new UserError(
    `The Redis of REDIS_URL (${hostname}:${port || 6379}) does not answer.`,
    'Correct REDIS_URL or start that server; without REDIS_URL one is started here.',
  );
}
