import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, addressOf } from '@switchyard/server';
import type { NextFunction, Request, Response } from 'express';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

const OPEN = new Set(['/health', '/livez', '/readyz']);

const REFUSED = new ApiError(
  'unauthenticated',
  'METRICS_TOKEN is required as bearer token or password',
  undefined,
  {
    'WWW-Authenticate': 'Basic realm="metrics", charset="UTF-8", Bearer realm="metrics"',
  },
);

const GUESSES = 30;

export function requireToken(token: string) {
  const expected = digest(token);
  const guesses = new RateLimiterMemory({ points: GUESSES, duration: 60 });
  return async (request: Request, _response: Response, next: NextFunction): Promise<void> => {
    if (!OPEN.has(request.path)) {
      const shown = given(request.get('authorization'));
      if (shown === null) throw REFUSED;
      if (!timingSafeEqual(digest(shown), expected)) {
        const counted = await guesses.penalty(addressOf(request));
        throw counted.consumedPoints > GUESSES ? tooMany(counted) : REFUSED;
      }
    }
    next();
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes): ApiError {
  const retryAfterSec = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return new ApiError('rate_limited', 'too many wrong tokens; try again later', undefined, {
    'Retry-After': String(retryAfterSec),
  });
}

function given(header: string | undefined): string | null {
  const [, scheme, value] = /^(Bearer|Basic) +(\S{1,2048})$/i.exec(header ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  if (scheme.toLowerCase() === 'bearer') return value;
  const pair = Buffer.from(value, 'base64').toString();
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
}

const digest = (value: string) => createHash('sha256').update(value).digest();
