import { foreignWrite, isOwnSite, isRead, ownHostsOnly, ownPagesOnly } from '@switchyard/server';
import type { NextFunction, Request, Response } from 'express';

/**
 * Local trusted mode has no sign-in, so the browser is the danger: a page of another site may neither
 * reach it under a name that it made point here (Host), nor write to it (Origin, Sec-Fetch-Site). Agents
 * may call it by a name of their own, which no page comes from.
 */
export function localRequestsOnly(publicUrl: string, agentApiUrl: string) {
  return [ownHostsOnly({ names: [publicUrl, agentApiUrl] }), ownPagesOnly([publicUrl])];
}

/**
 * In authenticated mode a browser sends the cookie along by itself, so a write must come from a page of
 * PUBLIC_URL itself: not of another origin, of an opaque one (`null`), nor of a sibling of the same site.
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
