import type { Request } from 'express';
import type { Redis } from 'ioredis';
import type { Authenticated } from '../actor';
import { addressOf } from './addresses';
import { type Limiter, openLimiter } from './limiter';

export interface RateLimitSettings {
  /** Requests a minute; null is no limit. */
  perCredential: number | null;
  perAddress: number | null;
  perTrigger: number | null;
}

export interface RateLimits {
  /** One request of somebody who is known, a webhook's sender too. @throws ApiError 429 */
  known(caller: Authenticated): Promise<void> | undefined;
  /** One request of somebody who is not: of a public route, or with a bad credential or none. */
  unknown(request: Request): Promise<void> | undefined;
}

/** One run token, the keys of one agent together, one personal token, or one person at its browsers. */
function credentialOf({ actor, tokenRunId }: Authenticated): string {
  if (tokenRunId !== null) return `run:${tokenRunId}`;
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  if (actor.type !== 'board') return actor.type;
  return actor.token ? `token:${actor.token.id}` : `user:${actor.userId}`;
}

/** Limits of all requests of one caller or address; beyond them 429 (docs/contract.md, "Errors"). */
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
  const addresses = limiter('address', settings.perAddress);
  const triggers = limiter('trigger', settings.perTrigger);
  return {
    known: (caller) =>
      caller.actor.type === 'webhook'
        ? triggers?.take(caller.actor.triggerId)
        : credentials?.take(credentialOf(caller)),
    unknown: (request) => addresses?.take(addressOf(request)),
  };
}
