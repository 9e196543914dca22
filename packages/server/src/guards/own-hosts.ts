import { isIP } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { forbidden } from '../http/errors';

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

export interface OwnHosts {
  names?: readonly string[];
  /** Also accepts IP addresses, because DNS rebinding needs a name. */
  addresses?: 'any' | 'loopback';
}

function hostOf(value: string): string | null {
  try {
    return new URL(value.includes('://') ? value : `http://${value}`).hostname || null;
  } catch {
    return null;
  }
}

const MAX_VERDICTS = 100;

const isAddress = (host: string) => isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0;

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
 * Protects routes without sign-in from DNS rebinding: a foreign page can make its own host name
 * resolve to this server, but the Host header then contains that name.
 * @throws ApiError 403
 */
export function ownHostsOnly(hosts: OwnHosts) {
  const isOwn = ownHosts(hosts);
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!isOwn(request.get('host'))) {
      throw forbidden('forbidden', 'the Host header must name this server');
    }
    next();
  };
}
