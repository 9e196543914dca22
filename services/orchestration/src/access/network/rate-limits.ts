import { addressOf } from '@switchyard/server';
import type { Request } from 'express';
import type { Redis } from 'ioredis';
import type { Authenticated } from '../actor';
import { type Limiter, openLimiter } from './limiter';

export interface RateLimitSettings {
  /** Requests per minute; null is no limit. */
  perCredential: number | null;
  perAddress: number | null;
  perTrigger: number | null;
}

export interface RateLimits {
  /** @throws ApiError 429 */
  known(caller: Authenticated): Promise<void> | undefined;
  /** For public routes, and bad or missing credentials. */
  unknown(request: Request): Promise<void> | undefined;
}

/** One run token, an agent's keys together, a personal token, or a person's browser sessions. */
function credentialOf({ actor, tokenRunId }: Authenticated): string {
  if (tokenRunId !== null) return `run:${tokenRunId}`;
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  if (actor.type !== 'board') return actor.type;
  return actor.token ? `token:${actor.token.id}` : `user:${actor.userId}`;
}

/** A company's runner sends the logs of this many runs; the installation's own has no limit. */
const RUNS_OF_RUNNER = 20;

/** docs/contract.md, "Errors". */
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
