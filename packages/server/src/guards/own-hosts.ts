import { isIP } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { forbidden } from '../http/errors';

/** As the host of a URL writes them. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

export interface OwnHosts {
  /** Names beside those of loopback, or URLs that hold them. */
  names?: readonly string[];
  /** Whether addresses of the network are good too: no page of another site can be called by one. */
  addresses?: 'any' | 'loopback';
}

/** The host of a URL or of a Host header, in lower case and without port; null when there is none. */
function hostOf(value: string): string | null {
  try {
    return new URL(value.includes('://') ? value : `http://${value}`).hostname || null;
  } catch {
    return null;
  }
}

const MAX_VERDICTS = 100;

const isAddress = (host: string) => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;

/** Says of a Host header whether it names this server. */
export function ownHosts({
  names = [],
  addresses = 'loopback',
}: OwnHosts): (header: string | undefined) => boolean {
  const own = new Set([...LOOPBACK_NAMES, ...names.map(hostOf)]);
  const isOwn = (header: string): boolean => {
    const host = hostOf(header);
    if (host === null) return false;
    return own.has(host) || (addresses === 'any' && isAddress(host));
  };
  // Nearly every request names the same host, and to take a URL apart is dear.
  const verdicts = new Map<string, boolean>();
  return (header = '') => {
    const known = verdicts.get(header);
    if (known !== undefined) return known;
    if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
    const verdict = isOwn(header);
    verdicts.set(header, verdict);
    return verdict;
  };
}

/**
 * For whatever answers without sign-in: a page of another site can make its own name point here (DNS
 * rebinding) and read, but then the Host header carries that name.
 * @throws ApiError 403
 */
export function ownHostsOnly(hosts: OwnHosts) {
  const isOwn = ownHosts(hosts);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!isOwn(request.get('host'))) {
      throw forbidden('forbidden', 'the Host header does not name this server');
    }
    next();
  };
}
