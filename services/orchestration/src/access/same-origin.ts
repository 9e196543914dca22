import { forbidden } from '@switchyard/server';
import type { NextFunction, Request, Response } from 'express';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function hostOf(value: string): string | null {
  try {
    return new URL(value.includes('://') ? value : `http://${value}`).hostname;
  } catch {
    return null;
  }
}

/**
 * Local trusted mode has no sign-in, so the browser is the danger: a page of another site may neither
 * reach it under a name that it made point here (Host), nor write to it (Origin).
 */
export function localRequestsOnly(publicUrl: string, agentApiUrl: string) {
  const own = new Set([...LOOPBACK, hostOf(publicUrl)]);
  const names = new Set([...own, hostOf(agentApiUrl)]);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!names.has(hostOf(request.get('host') ?? ''))) {
      throw forbidden('forbidden', 'the Host header does not name this server');
    }
    const origin = request.get('origin');
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && origin !== undefined && !own.has(hostOf(origin))) {
      throw forbidden('forbidden', 'writes from another origin are refused');
    }
    next();
  };
}

const OWN_SITES = new Set([undefined, 'same-origin', 'none']);

/**
 * In authenticated mode a browser sends the cookie along by itself, so a write must come from a page of
 * PUBLIC_URL itself: not of another origin, of an opaque one (`null`), nor of a sibling of the same site.
 * @throws Refusal 403
 */
export function ownOriginOnly(publicUrl: string) {
  const own = new URL(publicUrl).origin;
  return (request: Request, _response: Response, next: NextFunction): void => {
    const origin = request.get('origin');
    const isForeign = origin !== undefined && origin !== own;
    const usesCookie = request.get('authorization') === undefined;
    const isSibling = usesCookie && !OWN_SITES.has(request.get('sec-fetch-site'));
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && (isForeign || isSibling)) {
      throw forbidden('forbidden', 'writes from another origin are refused');
    }
    next();
  };
}
