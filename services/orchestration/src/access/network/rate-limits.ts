import { addressOf } from '@switchyard/server';
import type { Request } from 'express';
import type { Redis } from 'ioredis';
import type { Authenticated } from '../actor';
import { type Limiter, openLimiter } from './limiter';

export interface RateLimitSettings {
  /** Requests per minute; null means unlimited. */
  perCredential: number | null;
  perAddress: number | null;
  perTrigger: number | null;
}

export interface RateLimits {
  known(caller: Authenticated): Promise<void> | undefined;
  /** For public routes, and bad or missing credentials. */
  unknown(request: Request): Promise<void> | undefined;
}

function credentialOf({ actor, tokenRunId }: Authenticated): string {
  if (tokenRunId !== null) return `run:${tokenRunId}`;
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  if (actor.type !== 'board') return actor.type;
  return actor.token ? `token:${actor.token.id}` : `user:${actor.userId}`;
}

/** A company's runner sends the logs of up to 20 runs. */
const RUNS_OF_RUNNER = 20;

export function openRateLimits(
  redis: Redis,
  prefix: string,
  settings: RateLimitSettings,
): RateLimits {
  const limiter = (name: string, points: number | null): Limiter | null =>
    points === null
      ? null
      : openLimiter({
          redis,
          name: `${prefix}:rate:${name}`,
          points,
          windowSec: 60,
          deadlineMs: 50,
        });
  const credentials = limiter('credential', settings.perCredential);
  const ofRunner = settings.perCredential === null ? null : settings.perCredential * RUNS_OF_RUNNER;
  const runners = limiter('runner', ofRunner);
  const addresses = limiter('address', settings.perAddress);
  const triggers = limiter('trigger', settings.perTrigger);
  return {
    known: (caller) => {
      const { actor } = caller;
      if (actor.type === 'webhook') return triggers?.take(actor.triggerId);
      if (actor.type === 'runner') {
        return actor.runnerId === null ? undefined : runners?.take(actor.runnerId);
      }
      return credentials?.take(credentialOf(caller));
    },
    unknown: (request) => addresses?.take(addressOf(request)),
  };
}
