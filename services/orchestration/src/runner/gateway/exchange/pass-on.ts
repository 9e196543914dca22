import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '@switchyard/types';
import type { Dispatcher } from 'undici';
import { describeFailure } from './describe-failure';
import { passedHeaders, type RawHeaders } from './headers';
import { Refusal } from './refusal';

/** A request and the place for its answer; `gone` aborts when no one waits for that any more. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  gone: AbortSignal;
}

export interface Passage {
  /** What an error calls the other side. */
  name: string;
  /** The code of such an error, where clients expect one. */
  code?: ErrorCode;
  dispatcher: Dispatcher;
  /** `https://example.org:8443`. */
  origin: string;
  /** Path and query, as they are sent. */
  path: string;
  /** Whether a header of the request stays here. */
  drops: (name: string) => boolean;
  adds: RawHeaders;
  /** Called with the answer's status before any of it is passed on. @throws Refusal to answer that instead */
  onStatus?: (status: number) => void;
  /** Reads along with an answer that succeeds; null where there is nothing to read. */
  follow?: (contentType: string) => { write(chunk: Buffer): void; end(): void } | null;
}

/** Longer than any model thinks before its first word. */
const SILENCE_MS = 900_000;

/**
 * Makes a request anew for the other side, and streams both ways at the pace of the slower. What the client framed is
 * parsed here and framed again by undici, so that no two readers can differ about where a request ends.
 * @throws Refusal, also for a connection that fails; what was answered by then is cut off
 */
export async function passOn(
  { request, response, gone }: Exchange,
  passage: Passage,
): Promise<void> {
  const body = bodyOf(request);
  const { dispatcher, origin, path, adds } = passage;
  const drops = (name: string) =>
    name === 'host' || (body === null && name === 'content-length') || passage.drops(name);
  try {
    const answer = await dispatcher.request({
      origin,
      path,
      method: request.method as Dispatcher.HttpMethod,
      headers: [...passedHeaders(request.rawHeaders, drops), ...adds],
      body,
      signal: gone,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      responseHeaders: 'raw',
    });
    await passBack(answer, { response, gone }, passage);
  } catch (error) {
    throw describeFailure(error, passage.name, passage.code);
  } finally {
    // What is still to come of a body that no one reads must not keep the connection waiting.
    if (body) request.unpipe(body).resume();
  }
}

/** Through a stream of its own, because undici destroys what it is given, and the client's socket with a request. */
function bodyOf(request: IncomingMessage): PassThrough | null {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || Number(length) === 0)) return null;
  const body = new PassThrough();
  body.on('error', () => undefined);
  return request.pipe(body);
}

async function passBack(
  answer: Dispatcher.ResponseData,
  { response, gone }: Pick<Exchange, 'response' | 'gone'>,
  passage: Passage,
): Promise<void> {
  try {
    passage.onStatus?.(answer.statusCode);
  } catch (error) {
    answer.body.on('error', () => undefined).destroy();
    throw error;
  }
  // The type of undici does not know `responseHeaders: 'raw'`.
  const headers = passedHeaders(answer.headers as unknown as RawHeaders, () => false);
  response.sendDate = false;
  try {
    response.writeHead(
      answer.statusCode,
      answer.statusText.replace(/[^\t\x20-\x7e]/g, ''),
      headers,
    );
  } catch {
    answer.body.on('error', () => undefined).destroy();
    throw new Refusal(502, 'the other side sent headers that cannot be passed on');
  }
  response.flushHeaders();
  const reader = readerOf(answer.statusCode, headers, passage);
  if (!reader) return pipeline(answer.body, response, { signal: gone });
  async function* readAlong(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      reader?.write(chunk);
      yield chunk;
    }
  }
  try {
    await pipeline(answer.body, readAlong, response, { signal: gone });
  } finally {
    reader.end();
  }
}

function readerOf(status: number, headers: RawHeaders, { follow }: Passage) {
  if (!follow || status < 200 || status > 299) return null;
  const at = headers.findIndex((text, place) => place % 2 === 0 && text === 'content-type');
  return at < 0 ? null : follow((headers[at + 1] ?? '').toLowerCase());
}
