import { parseRetryAfter } from '@switchyard/server';
import { ExchangeFailure } from '../../failure';
import { callScope } from './call-scope';
import type { Circuit } from './circuit';

const LARGEST_BODY = 64 * 1024 * 1024;
/** Longest accepted retry time: Binance bans an address for up to three days. */
const LONGEST_BAN_MS = 3 * 86_400_000;

interface FetchParameters {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

export type AnswerReader = (answered: string, target: string) => string;

export interface FetchOptions {
  timeoutMs: number;
  circuit: Circuit;
  now(): number;
  onDate(date: number, asked: number, answered: number): void;
  /**
   * Returns a reader of the response text. Returns null for a request that might change something;
   * such a request must not be sent.
   */
  readerOf(method: string, path: string): AnswerReader | null;
}

/** Includes the body in the deadline; the library's deadline ends with the headers. */
export function createFetch({ timeoutMs, circuit, now, onDate, readerOf }: FetchOptions) {
  return async (url: string, { method, headers, body }: FetchParameters): Promise<Response> => {
    const scope = callScope.getStore() ?? {
      target: 'exchange',
      signal: AbortSignal.timeout(timeoutMs),
    };
    const { target } = scope;
    const { pathname } = new URL(url);
    const read = readerOf(method, pathname);
    if (!read) {
      const reason = `this service only reads: ${method} ${pathname} is not sent`;
      throw new ExchangeFailure('not_supported', target, reason);
    }
    await circuit.admit(scope);
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([limit, scope.signal]);
    let response: Response;
    let text: string;
    const asked = now();
    try {
      response = await fetch(url, {
        method,
        headers,
        ...(body && { body }),
        redirect: 'error',
        signal,
      });
      const date = dateOf(response);
      if (date !== null) onDate(date, asked, now());
      text = await readText(response);
    } catch (error) {
      throw transportFailure(error, target);
    }
    const failure = refusal(response, text, target, now());
    if (failure) throw failure;
    const { ok, status, statusText } = response;
    return new Response(ok ? read(text, target) : text, {
      status,
      statusText,
      headers: response.headers,
    });
  };
}

async function readText(response: Response): Promise<string> {
  const length = Number(response.headers.get('content-length') ?? 0);
  if (length > LARGEST_BODY) throw new Error('too large');
  return response.text();
}

function dateOf({ headers }: Response): number | null {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) || Number(headers.get('age') ?? 0) > 0 ? null : date;
}

function transportFailure(error: unknown, target: string): ExchangeFailure {
  const { name } = error as { name?: unknown };
  if (name === 'TimeoutError') {
    return new ExchangeFailure('timeout', target, 'no complete answer within the time limit');
  }
  if (name === 'AbortError') return new ExchangeFailure('deadline', target, 'the call was aborted');
  return new ExchangeFailure('network', target, 'the connection failed or was closed');
}

function refusal(response: Response, text: string, target: string, now: number) {
  const { status } = response;
  const header = response.headers.get('retry-after') ?? undefined;
  const pauseMs = parseRetryAfter(header, new Date(now), LONGEST_BAN_MS);
  const silentUntil = pauseMs === undefined ? null : now + pauseMs;
  const words = `the exchange answered HTTP ${status}`;
  if (status === 418) {
    const until = /until (\d{13})/.exec(text)?.[1];
    return new ExchangeFailure('banned', target, words, until ? Number(until) : silentUntil);
  }
  if (status === 429) return new ExchangeFailure('rate_limited', target, words, silentUntil);
  if (status >= 500) return new ExchangeFailure('unavailable', target, words, silentUntil);
  return null;
}
