import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { errorFields } from '@switchyard/server/logger';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { proxyOf } from '../../adapters/network/proxy-of';
import { requestText, type TextResponse } from '../../adapters/network/request-text';

interface Exchange {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON; bytes are sent as they are; null is no body. */
  body: object | Buffer | null;
  /** Without a whole response by then the exchange has failed. */
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface Server {
  exchange(exchange: Exchange): Promise<unknown>;
  close(): void;
}

/** The server has read the request and says no; another try would hear the same. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: unknown,
  ) {
    super(message);
  }
}

/** Nothing, or nothing for now, came back: whether it was done is not known. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
  constructor(
    message: string,
    /** As the server asks for it. */
    readonly againAfterMs: number | null = null,
    /** Of the server, or of a proxy before it; null when nothing came back. */
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

/** The server speaks an earlier version of the protocol: it would refuse or lose what this runner reports. */
export class OutdatedServer extends NotReached {}

/** What a log line says of a failure: of one of the two above its message, for a stack would name this file alone. */
export function failureFields(error: unknown): Record<string, unknown> {
  const isKnown = error instanceof Refused || error instanceof NotReached;
  return isKnown ? { cause: error.message } : errorFields(error);
}

/** One server, on connections that are kept. No redirect is followed: the token would go along. */
export function openServer(url: string, token: string): Server {
  const base = new URL(url);
  let agent: PlainAgent | null = null;
  const prefix = base.pathname.replace(/\/$/, '');

  const send = async ({ method, path, headers, body, timeoutMs, signal }: Exchange) => {
    // Here, so that a proxy which cannot be asked is said by the exchange, and tried again by the next.
    agent ??= openAgent(url);
    const isBytes = Buffer.isBuffer(body);
    const content = isBytes ? body : Buffer.from(body === null ? '' : JSON.stringify(body));
    const late = AbortSignal.timeout(timeoutMs);
    const options = {
      method,
      agent,
      signal: signal ? AbortSignal.any([signal, late]) : late,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== null && {
          'Content-Type': isBytes ? 'application/octet-stream' : 'application/json',
          'Content-Length': content.length,
        }),
        ...headers,
      },
    };
    return requestText(new URL(`${prefix}${path}`, base), options, content);
  };

  return {
    async exchange(exchange) {
      const { signal } = exchange;
      const response = await send(exchange).catch((error: unknown) => {
        signal?.throwIfAborted();
        throw new NotReached(error instanceof Error ? error.message : String(error));
      });
      return readResponse(response);
    },
    close: () => agent?.destroy(),
  };
}

function openAgent(url: string): PlainAgent {
  if (url.startsWith('http:')) return new PlainAgent({ keepAlive: true });
  const proxy = proxyOf(url);
  if (proxy === null) return new SecureAgent({ keepAlive: true });
  return new HttpsProxyAgent(proxy, { keepAlive: true });
}

/** What a proxy may say while the server behind it is away, or the server itself when it is too busy. */
const PASSING = [408, 421, 425, 429];

function readResponse({ status, headers, text }: TextResponse): unknown {
  const isPassing = status >= 500 || PASSING.includes(status);
  if (isPassing) {
    const seconds = Number(headers['retry-after']);
    const againAfterMs = seconds > 0 ? seconds * 1_000 : null;
    throw new NotReached(`status ${status}`, againAfterMs, status);
  }
  const body = readJson(text);
  if (status >= 200 && status < 300) return body;
  const { error, code, details } = (body ?? {}) as Record<string, unknown>;
  const said = typeof error === 'string' ? error : `status ${status}`;
  throw new Refused(status, typeof code === 'string' ? code : '', said, details);
}

function readJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new NotReached('the response is no JSON: something else answers in place of the server');
  }
}
