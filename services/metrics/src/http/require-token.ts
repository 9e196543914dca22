import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@switchyard/server';
import type { NextFunction, Request, Response } from 'express';

/** Monitors ask them, and they tell nothing of the account. */
const OPEN = new Set(['/health', '/livez', '/readyz']);

const REFUSED = new ApiError(
  'unauthenticated',
  'the token of this service is needed (METRICS_TOKEN)',
  undefined,
  {
    'WWW-Authenticate': 'Basic realm="metrics", charset="UTF-8", Bearer realm="metrics"',
  },
);

/** @throws ApiError 401 without the token, on all but health and the probes */
export function requireToken(token: string) {
  const expected = digest(token);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!OPEN.has(request.path)) {
      const shown = given(request.get('authorization'));
      if (shown === null || !timingSafeEqual(digest(shown), expected)) throw REFUSED;
    }
    next();
  };
}

/** The token of `Bearer <token>`, or the password of Basic, whose user may be any: a browser asks for that. */
function given(header: string | undefined): string | null {
  const [, scheme, value] = /^(Bearer|Basic) +(\S{1,2048})$/i.exec(header ?? '') ?? [];
  if (scheme === undefined || value === undefined) return null;
  if (scheme.toLowerCase() === 'bearer') return value;
  const pair = Buffer.from(value, 'base64').toString();
  return pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : null;
}

const digest = (value: string) => createHash('sha256').update(value).digest();
