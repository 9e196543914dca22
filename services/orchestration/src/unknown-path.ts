import { ApiError } from '@switchyard/server';
import type { Request } from 'express';

/** Refuses what no route has taken, with the path that was probably meant, or where to find it. @throws ApiError 404 */
export function refuseUnknownPath(isKnown: (path: string) => boolean) {
  return ({ path }: Request): never => {
    const meant = meantPath(path);
    const isMeant = meant !== path && meant.length <= MAX_SHOWN && isKnown(meant);
    throw new ApiError('not_found', `path not found: ${isMeant ? didYouMean(meant) : rest(path)}`);
  };
}

/** Without the version and the doubled slashes that other interfaces have, below /api. */
function meantPath(path: string): string {
  const single = path.replace(/\/{2,}/g, '/');
  return `/api${single.replace(/^\/(?:api\/)?(?:v\d{1,3}\/)?(?:api\/)?/i, '/')}`;
}

const MAX_SHOWN = 200;

const didYouMean = (meant: string) => `did you mean ${meant}? The reference is at /api/docs`;

const rest = (path: string) =>
  /^\/api(?:\/|$)/i.test(path)
    ? 'the paths below /api are listed at /api/docs'
    : 'the interface is below /api, its reference at /api/docs';
