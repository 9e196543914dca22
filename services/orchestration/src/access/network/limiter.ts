import { withTimeout } from '@switchyard/async';
import { ApiError } from '@switchyard/server';
import type { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export interface LimiterOptions {
  redis: Redis;
  name: string;
  points: number;
  windowSec: number;
  /** Longest wait for Redis in ms; afterwards only the local count applies. */
  deadlineMs: number;
  maxKeys?: number;
}

export interface Limiter {
  /** @throws ApiError 429 with `Retry-After` when the window is used up */
  take(key: string): Promise<void>;
  refund(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

function rateLimited(rest: RateLimiterRes): ApiError {
  const retryAfterSec = Math.max(1, Math.ceil(rest.msBeforeNext / 1000));
  const details = { retryAfterSec };
  const headers = { 'Retry-After': String(retryAfterSec) };
  return new ApiError('rate_limited', 'too many requests; try again later', details, headers);
}

function boundKeys(max: number) {
  const keys = new Set<string>();
  return (used: string): string | null => {
    keys.delete(used);
    keys.add(used);
    if (keys.size <= max) return null;
    const [oldest = used] = keys;
    keys.delete(oldest);
    return oldest;
  };
}

/**
 * Counts per key in a fixed window, in this process and in Redis; either count may reject. The
 * local count includes every request, so it also limits while Redis is unavailable.
 */
export function openLimiter(limits: LimiterOptions): Limiter {
  const { redis, name, points, windowSec, deadlineMs, maxKeys = 50_000 } = limits;
  const options = { keyPrefix: name, points, duration: windowSec };
  const shared = new RateLimiterRedis({ ...options, storeClient: redis });
  const local = new RateLimiterMemory(options);
  const touch = boundKeys(maxKeys);
  const inBoth = async (work: (limiter: typeof shared | typeof local) => Promise<unknown>) => {
    await Promise.allSettled([withTimeout(work(shared), deadlineMs), work(local)]);
  };
  const consume = async (key: string) => {
    const forgotten = touch(key);
    if (forgotten !== null) await local.delete(forgotten);
    await local.consume(key);
    try {
      await withTimeout(shared.consume(key), deadlineMs);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
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
    refund: (key) => inBoth((limiter) => limiter.reward(key, 1)),
    forget: (key) => inBoth((limiter) => limiter.delete(key)),
  };
}
