import { addressOf } from '@switchyard/server';
import type { Request } from 'express';
import type { Authenticated } from '../../kernel/actor';
import { type Context, partOf } from '../../kernel/context';
import { type Limiter, openLimiter } from './limiter';

export const rateLimits = partOf(openRateLimits);

interface RateLimits {
  known(caller: Authenticated): Promise<void> | undefined;
  unknown(request: Request): Promise<void> | undefined;
}

function credentialOf({ actor, tokenRunId }: Authenticated): string {
  if (tokenRunId !== null) return `run:${tokenRunId}`;
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  if (actor.type !== 'board') return actor.type;
  return actor.token ? `token:${actor.token.id}` : `user:${actor.userId}`;
}

const RUNS_OF_RUNNER = 20;

function openRateLimits({ shared, config }: Context): RateLimits {
  const settings = config.rateLimits;
  const limiter = (name: string, points: number | null): Limiter | null =>
    points === null
      ? null
      : openLimiter({
          redis: shared,
          name: `${config.redisPrefix}:rate:${name}`,
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
