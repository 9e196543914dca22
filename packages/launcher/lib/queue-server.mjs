import { problem } from './problem.mjs';
import { ping } from './redis/ping.mjs';
import { startRedis } from './redis/start.mjs';
import { step } from './terminal/steps.mjs';

export function checkRedisUrl(url) {
  if (!url || (URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol))) return;
  throw problem('REDIS_URL is not a Redis address.', 'Write it as redis://:password@host:6379');
}

/** Anything that answers will do: with a password the answer is -NOAUTH, with TLS a closed line. */
async function reach(url) {
  const { hostname, port, protocol } = new URL(url);
  if (protocol === 'rediss:' || (await ping(Number(port || 6379), hostname))) return;
  throw problem(
    `The Redis of REDIS_URL (${hostname}:${port || 6379}) does not answer.`,
    'Correct REDIS_URL or start that server; without REDIS_URL one is started here.',
  );
}

export async function provideRedis(life, settings, seeking) {
  const given = settings.env.REDIS_URL;
  if (given) {
    await step('reach the given Redis', () => reach(given));
    return { url: given };
  }
  const server = await startRedis(life, settings, seeking);
  return { url: server.url, server };
}
