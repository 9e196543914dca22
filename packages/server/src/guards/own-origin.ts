import type { NextFunction, Request, Response } from 'express';
import { forbidden } from '../http/errors';
import { ownHosts } from './own-hosts';

const OWN_SITES = new Set([undefined, 'same-origin', 'none']);

export const isOwnSite = (request: Request): boolean =>
  OWN_SITES.has(request.get('sec-fetch-site'));

export const isRead = ({ method }: Pick<Request, 'method'>): boolean =>
  method === 'GET' || method === 'HEAD';

export const foreignWrite = () =>
  forbidden('forbidden', 'a write must come from a page of this server, not from another origin');

function portOf(value: string): string | null {
  try {
    return new URL(value.includes('://') ? value : `http://${value}`).port;
  } catch {
    return null;
  }
}

const isLoopback = ownHosts({});

function isOwnPage(origin: string, host: string): boolean {
  return (
    /^http:\/\/[^/@]+$/.test(origin) &&
    isLoopback(origin) &&
    isLoopback(host) &&
    portOf(origin) === portOf(host)
  );
}

/**
 * Protects routes without sign-in: browsers may only write from the server's own pages. Any local
 * page could send a POST without a body, because such a request needs no preflight. Other clients
 * pass, because they do not send `Origin` or `Sec-Fetch-Site`.
 * @throws ApiError 403
 */
export function ownPagesOnly(publicUrls: readonly string[]) {
  const own = new Set(publicUrls.map((url) => new URL(url).origin));
  return (request: Request, _response: Response, next: NextFunction): void => {
    const origin = request.get('origin');
    const isOwn =
      origin === undefined || own.has(origin) || isOwnPage(origin, request.get('host') ?? '');
    if (!isRead(request) && !(isOwn && isOwnSite(request))) throw foreignWrite();
    next();
  };
}
