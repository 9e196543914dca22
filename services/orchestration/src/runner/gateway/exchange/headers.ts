import type { IncomingMessage } from 'node:http';

/** Headers as they travel: name, value, name, value. */
export type RawHeaders = string[];

/** They speak of one connection (RFC 9110, section 7.6.1); `expect` is answered here. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
]);

/** Who is behind a proxy is for a proxy to say, and a browser's session is never an agent's. */
const CLAIMS =
  /^(?:cookie2?|forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-original-.*|x-rewrite-url|true-client-ip|cf-connecting-ip)$/;

const CREDENTIALS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

export const isClaim = (name: string) => CLAIMS.test(name);
export const isCredential = (name: string) => CREDENTIALS.includes(name);

/** What of a message goes on to the other side: all but what `drops` names and what belongs to the connection. */
export function passedHeaders(raw: RawHeaders, drops: (name: string) => boolean): RawHeaders {
  const pairs = pairsOf(raw);
  const listed = new Set(
    pairs
      .filter(([name]) => name === 'connection')
      .flatMap(([, value]) => value.toLowerCase().split(','))
      .map((name) => name.trim()),
  );
  return pairs
    .filter(([name]) => !HOP_BY_HOP.has(name) && !listed.has(name) && !drops(name))
    .flat();
}

export function valuesOf(request: IncomingMessage, wanted: string): string[] {
  return pairsOf(request.rawHeaders)
    .filter(([name]) => name === wanted)
    .map(([, value]) => value);
}

/** The tokens that a request shows, whatever header its client puts them in. */
export function shownTokens(request: IncomingMessage): string[] {
  return CREDENTIALS.flatMap((name) => valuesOf(request, name)).map((value) =>
    value.replace(/^Bearer +/i, ''),
  );
}

function pairsOf(raw: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    pairs.push([(raw[at] as string).toLowerCase(), raw[at + 1] as string]);
  }
  return pairs;
}
