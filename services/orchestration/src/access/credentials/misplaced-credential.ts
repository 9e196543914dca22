import type { Request } from 'express';

/**
 * Returns the header or query parameter that contains a misplaced credential. Its sender expects to
 * be authenticated, so the request must not run as the board. Ignores cookies, because browsers
 * send them automatically, and headers of proxies.
 */
export function misplacedCredential(request: Pick<Request, 'headers' | 'query'>): string | null {
  for (const [name, value] of Object.entries(request.headers)) {
    if (isCredentialName(name)) return name;
    if (!NOT_MEANT_FOR_US.has(name) && OURS.test(String(value))) return name;
  }
  return Object.keys(request.query).find(isCredentialName)?.slice(0, 50) ?? null;
}

export const SEND_BEARER = 'send "Authorization: Bearer <API key or run token>"';

const OURS = /^(?:Bearer\s+)?(?:swy|syp|syr|syt|syk)_/i;

const NOT_MEANT_FOR_US = new Set(['cookie', 'referer', 'authorization', 'idempotency-key']);

const isCredentialName = (name: string) =>
  NAMES.has(name.toLowerCase().replace(/[-_]/g, '').replace(/^x/, ''));

const NAMES = new Set([
  'accesskey',
  'accesstoken',
  'agentapikey',
  'agentkey',
  'agenttoken',
  'apikey',
  'apitoken',
  'auth',
  'authentication',
  'authkey',
  'authorization',
  'authtoken',
  'bearer',
  'bearertoken',
  'credential',
  'credentials',
  'privatetoken',
  'runtoken',
  'serviceapikey',
  'servicekey',
  'servicetoken',
  'switchyardapikey',
  'switchyardkey',
  'switchyardtoken',
  'token',
]);
