import type { IncomingMessage } from 'node:http';
import { parseRetryAfter, signRequest } from '@switchyard/server';
import type { Connector } from './open-socket';
import type { Answer, Due } from './outbox';
import { sendRequest } from './send-request';

const TIMEOUT_MS = 15_000;
const DAY_MS = 86_400_000;
const KEPT_CHARS = 1_000;
const READ_BYTES = 4_096;

export interface Sending<D extends Due> {
  /** Connects only to permitted addresses; its errors contain no address. */
  connect(due: D, signal: AbortSignal): Connector;
  now(): Date;
  timeoutMs?: number;
}

export type Sent = Answer & { retryAfterMs: number | undefined };

/**
 * Makes one attempt. Does not follow redirects, because their target is not the configured
 * receiver.
 */
export async function send<D extends Due>(
  { connect, now, timeoutMs = TIMEOUT_MS }: Sending<D>,
  due: D,
  closing: AbortSignal,
): Promise<Sent> {
  const begun = performance.now();
  const durationMs = () => Math.round(performance.now() - begun);
  const life = new AbortController();
  const timer = setTimeout(() => life.abort(new TimeoutError()), timeoutMs);
  const stop = () => life.abort(closing.reason);
  closing.addEventListener('abort', stop, { once: true });
  try {
    const { webhookId: id, keys, body, url } = due;
    const signature = signRequest(keys, { id, at: now(), body });
    const response = await sendRequest({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...due.headers, ...signature },
      body,
      connect: connect(due, life.signal),
      signal: life.signal,
      parent: due.traceContext,
    });
    const text = await readBeginning(response);
    const status = response.statusCode ?? 0;
    const error = status >= 200 && status < 300 ? null : `HTTP ${status}`;
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], now(), DAY_MS);
    return { status, error, text, durationMs: durationMs(), retryAfterMs };
  } catch (error) {
    const words =
      life.signal.reason instanceof TimeoutError ? 'no response in time' : describe(error);
    return {
      ...{ status: null, error: words, text: '' },
      durationMs: durationMs(),
      retryAfterMs: undefined,
    };
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', stop);
    life.abort();
  }
}

class TimeoutError extends Error {}

function describe(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: string };
  return typeof code === 'string' ? `no response (${code})` : (message ?? 'no response');
}

async function readBeginning(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      pieces.push(piece as Buffer);
      length += (piece as Buffer).length;
      if (length >= READ_BYTES) break;
    }
  } catch {}
  // Removes NUL, because PostgreSQL cannot store it.
  return Buffer.concat(pieces).toString('utf8').replaceAll('\0', '').slice(0, KEPT_CHARS);
}
