import { foreignWrite, isOwnSite, isRead, ownHostsOnly, ownPagesOnly } from '@switchyard/server';
import type { NextFunction, Request, Response } from 'express';

/**
 * Local mode has no sign-in. The Host check prevents DNS rebinding; Origin and Sec-Fetch-Site
 * prevent writes from pages of other sites. Agents may use another host name, because no page is
 * served under it.
 */
export function localRequestsOnly(publicUrl: string, agentApiUrl: string) {
  return [ownHostsOnly({ names: [publicUrl, agentApiUrl] }), ownPagesOnly([publicUrl])];
}

/**
 * Browsers send the cookie automatically, so only pages of PUBLIC_URL may write: no other origin,
 * no opaque origin (`null`), no sibling domain.
 * @throws ApiError 403
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
