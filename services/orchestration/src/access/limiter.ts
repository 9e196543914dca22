import { Refusal } from '@switchyard/server';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** How long a request waits for the shared counter before it is counted in this process alone. */
const DEADLINE_MS = 50;

export interface LimiterOptions {
  redis: Redis;
  /** Begins the name of every counter. */
  name: string;
  points: number;
  windowSec: number;
}

export interface Limiter {
  /** @throws Refusal 429 with `Retry-After` when the key has no points left in its window */
  take(key: string): Promise<void>;
  /** Gives one point back. */
  giveBack(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the counter did not answer in time')), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function rateLimited(rest: RateLimiterRes): Refusal {
  const retryAfterSec = Math.max(1, Math.ceil(rest.msBeforeNext / 1000));
  const details = { retryAfterSec };
  const headers = { 'Retry-After': String(retryAfterSec) };
  return new Refusal('rate_limited', 'too many requests; try again later', details, headers);
}

/**
 * Counts per key in a fixed window: in Redis for all processes together, and while Redis is away in
 * this process alone, so that neither an outage nor a slow Redis opens or shuts the door.
 */
export function openLimiter({ redis, name, points, windowSec }: LimiterOptions): Limiter {
  const options = { keyPrefix: name, points, duration: windowSec };
  const shared = new RateLimiterRedis({ ...options, storeClient: redis });
  const local = new RateLimiterMemory(options);
  const inBoth = async (work: (limiter: typeof shared | typeof local) => Promise<unknown>) => {
    await Promise.allSettled([inTime(work(shared)), work(local)]);
  };
  const consume = async (key: string) => {
    try {
      await inTime(shared.consume(key));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      await local.consume(key);
    }
  };
  return {
    take: async (key) => {
      try {
        await consume(key);
      } catch (rest) {
        throw rest instanceof RateLimiterRes ? rateLimited(rest) : rest;
      }
    },
    giveBack: (key) => inBoth((limiter) => limiter.reward(key, 1)),
    forget: (key) => inBoth((limiter) => limiter.delete(key)),
  };
}
