import type { Request } from 'express';

/**
 * The name of a header or query parameter that carries a credential which is not read, as other products want it; null
 * where there is none. Whoever sends one believes to be somebody, and must not be taken for the board. Cookies are left
 * out, since a browser sends those of every service on this host, and so is what proxies and browsers add.
 */
export function misplacedCredential(request: Pick<Request, 'headers' | 'query'>): string | null {
  for (const [name, value] of Object.entries(request.headers)) {
    if (isCredentialName(name)) return name;
    if (!NOT_MEANT_FOR_US.has(name) && OURS.test(String(value))) return name;
  }
  return Object.keys(request.query).find(isCredentialName)?.slice(0, 50) ?? null;
}

export const SEND_BEARER = 'send "Authorization: Bearer <API key or run token>"';

/** What begins like our keys and tokens is one, whatever the header is called. */
const OURS = /^(?:Bearer\s+)?(?:swy|syp|syr|syt|syk)_/i;

const NOT_MEANT_FOR_US = new Set(['cookie', 'referer', 'authorization', 'idempotency-key']);

/** `x-api-key`, `API_KEY` and `apiKey` are one name. */
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
