import { ApiError } from '@switchyard/server';
import type { Request } from 'express';

export function refuseUnknownPath(isKnown: (path: string) => boolean) {
  return ({ path }: Request): never => {
    const below = belowApi(path);
    const alone = below.replace(/^\/companies\/[^/]+(?=\/.)/, '');
    const guesses = [`/api${below}`, `/api/companies/{companyId}${below}`, `/api${alone}`];
    const meant = guesses.find(
      (other) => other !== path && other.length <= MAX_SHOWN && isKnown(other),
    );
    throw new ApiError('not_found', `path not found: ${meant ? didYouMean(meant) : rest(path)}`);
  };
}

function belowApi(path: string): string {
  const single = path.replace(/\/{2,}/g, '/');
  return single.replace(/^\/(?:api\/)?(?:v\d{1,3}\/)?(?:api\/)?/i, '/');
}

const MAX_SHOWN = 200;

const didYouMean = (meant: string) => `did you mean ${meant}? The reference is at /api/docs`;

const rest = (path: string) =>
  /^\/api(?:\/|$)/i.test(path)
    ? 'the paths below /api are listed at /api/docs'
    : 'the API is below /api, and its reference is at /api/docs';
