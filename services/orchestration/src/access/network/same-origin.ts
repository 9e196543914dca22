import { foreignWrite, isOwnSite, isRead, ownHostsOnly, ownPagesOnly } from '@switchyard/server';
import type { NextFunction, Request, Response } from 'express';

/**
 * Local mode has no sign-in, so a page of another site must neither reach the API by DNS rebinding
 * (Host) nor write to it (Origin, Sec-Fetch-Site). Agents may use a name of their own, because no
 * page has it.
 */
export function localRequestsOnly(publicUrl: string, agentApiUrl: string) {
  return [ownHostsOnly({ names: [publicUrl, agentApiUrl] }), ownPagesOnly([publicUrl])];
}

/**
 * Browsers send the cookie by themselves, so writes must come from a page of PUBLIC_URL: no other
 * origin, no opaque one (`null`), no sibling domain. @throws ApiError 403
 */
export function ownOriginOnly(publicUrl: string) {
  const own = new URL(publicUrl).origin;
  return (request: Request, _response: Response, next: NextFunction): void => {
    const origin = request.get('origin');
    const isForeign = origin !== undefined && origin !== own;
    const usesCookie = request.get('authorization') === undefined;
    const isSibling = usesCookie && !isOwnSite(request);
    if (!isRead(request) && (isForeign || isSibling)) throw foreignWrite();
    next();
  };
}
