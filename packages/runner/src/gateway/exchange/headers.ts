import type { IncomingMessage } from 'node:http';

export type RawHeaders = string[];

/** RFC 9110, section 7.6.1. The gateway responds to `expect` itself. */
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

const CLAIMS =
  /^(?:cookie2?|forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-original-.*|x-rewrite-url|true-client-ip|cf-connecting-ip)$/;

const CREDENTIALS = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'];

export const isClaim = (name: string) => CLAIMS.test(name);
export const isCredential = (name: string) => CREDENTIALS.includes(name);

export function forwardedHeaders(raw: RawHeaders, drops: (name: string) => boolean): RawHeaders {
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

export function valuesOf(request: IncomingMessage, header: string): string[] {
  return pairsOf(request.rawHeaders)
    .filter(([name]) => name === header)
    .map(([, value]) => value);
}

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
