import { Agent as PlainAgent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { errorFields } from '@switchyard/server/logger';
import { parseRetryAfter } from '@switchyard/server/retry-after';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { proxyOf } from '../network/proxy-of';
import { requestText, type TextResponse } from '../network/request-text';

interface Exchange {
  method: 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body: object | Buffer | null;
  timeoutMs: number;
  signal?: AbortSignal;
}

export interface Server {
  exchange(exchange: Exchange): Promise<unknown>;
  close(): void;
}

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

/** The server sent no response, or a temporary error, so it may have executed the request. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
  constructor(
    message: string,
    readonly againAfterMs: number | null = null,
    readonly status: number | null = null,
  ) {
    super(message);
  }
}

export class OutdatedServer extends NotReached {}

/** Omits the stack of expected errors, because the stack only names this file. */
export function failureFields(error: unknown): Record<string, unknown> {
  const isKnown = error instanceof Refused || error instanceof NotReached;
  return isKnown ? { cause: error.message } : errorFields(error);
}

/** Does not follow redirects, because their target would receive the token. */
export function openServer(url: string, token: string): Server {
  const base = new URL(url);
  let agent: PlainAgent | null = null;
  const prefix = base.pathname.replace(/\/$/, '');

  const send = async ({ method, path, headers, body, timeoutMs, signal }: Exchange) => {
    // Creates the agent here, so that an invalid proxy setting fails only this request, and the
    // next request tries again.
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

const PASSING = [408, 421, 425, 429];

function readResponse({ status, headers, text }: TextResponse): unknown {
  const isPassing = status >= 500 || PASSING.includes(status);
  if (isPassing) {
    const againAfterMs = parseRetryAfter(headers['retry-after']) || null;
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
    throw new NotReached(
      'the response must be JSON; check whether RUNNER_URL is the server’s address',
    );
  }
}
