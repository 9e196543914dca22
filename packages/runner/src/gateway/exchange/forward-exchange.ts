import {
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
  type ServerResponse,
} from 'node:http';
import { request as requestSecure } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { ErrorCode } from '@switchyard/types';
import type { MeteredCall } from '../usage/provider-meter';
import type { LazyAgent } from './agents';
import { describeFailure, reasonOf } from './describe-failure';
import { forwardedHeaders, type RawHeaders } from './headers';
import type { HeldBody } from './hold-body';
import { Refusal } from './refusal';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  gone: AbortSignal;
}

export interface ForwardRequest {
  name: string;
  code?: ErrorCode;
  agent: LazyAgent;
  origin: string;
  path: string;
  drops: (name: string) => boolean;
  adds: RawHeaders;
  /**
   * Called before the response is forwarded.
   * @throws Refusal to send another response instead
   */
  onStatus?: (status: number) => void;
  hold?: (request: IncomingMessage) => Promise<HeldBody>;
  meter?: (body: Buffer | null) => Promise<MeteredCall>;
  rewrite?: (body: Buffer) => Buffer;
}

/** Time limit in ms, longer than any model takes for its first token. */
const SILENCE_MS = 900_000;

/**
 * Parses the request and writes it again, so that both sides agree on where it ends. Streams at the
 * pace of the slower side.
 * @throws Refusal, even for a failed connection; a response that has started is cut off
 */
export async function forwardExchange(exchange: Exchange, target: ForwardRequest): Promise<void> {
  const { request } = exchange;
  let sent: ClientRequest | null = null;
  let call: MeteredCall | null = null;
  let held: HeldBody | null = null;
  try {
    if (hasBody(request)) held = (await target.hold?.(request)) ?? null;
    call = (await target.meter?.(held?.bytes ?? null)) ?? null;
    const body = held && (target.rewrite?.(held.bytes) ?? held.bytes);
    sent = begin(exchange, target, body, await target.agent.get());
    if (call) sent.once('finish', call.sent);
    if (held) sent.once('close', held.release);
    const answer = await answerTo(sent, request, body);
    await forwardResponse(answer, exchange, target, call);
  } catch (error) {
    if (!exchange.gone.aborted) call?.failed(reasonOf(error));
    throw describeFailure(error, target.name, target.code);
  } finally {
    call?.end();
    held?.release();
    // Discards the rest of the body, because unread data would block the connection.
    if (sent) {
      request.unpipe(sent);
      if (!sent.writableFinished) sent.destroy();
    }
    request.resume();
  }
}

function begin(
  { request, gone }: Exchange,
  target: ForwardRequest,
  body: Buffer | null,
  agent: Awaited<ReturnType<LazyAgent['get']>>,
): ClientRequest {
  const { protocol, hostname, port, host } = new URL(target.origin);
  const isSecure = protocol === 'https:';
  const sent = (isSecure ? requestSecure : requestPlain)({
    agent,
    protocol,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (isSecure ? 443 : 80),
    method: request.method,
    path: target.path,
    headers: ['host', host, ...headersOf(request, target, body)],
    signal: gone,
    timeout: SILENCE_MS,
  });
  const late = Object.assign(new Error('the server does not respond'), { code: 'ETIMEDOUT' });
  sent.once('timeout', () => sent.destroy(late));
  return sent;
}

const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'];

function headersOf(
  request: IncomingMessage,
  { drops, adds }: ForwardRequest,
  body: Buffer | null,
): RawHeaders {
  const isEmpty = !hasBody(request);
  const isResized = isEmpty || body !== null;
  const stays = (name: string) =>
    name === 'host' || (isResized && name === 'content-length') || drops(name);
  const headers = forwardedHeaders(request.rawHeaders, stays);
  if (body) return [...headers, 'content-length', String(body.length), ...adds];
  const isSized = headers.some((text, at) => at % 2 === 0 && text === 'content-length');
  if (!isEmpty && !isSized) headers.push('transfer-encoding', 'chunked');
  if (isEmpty && !WITHOUT_BODY.includes(request.method ?? '')) headers.push('content-length', '0');
  return [...headers, ...adds];
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}

function answerTo(
  sent: ClientRequest,
  request: IncomingMessage,
  body: Buffer | null,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    // Uses `on`, not `once`, because a second error without a listener would end the process.
    sent.on('error', reject);
    sent.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(
        new Refusal(502, 'the server switched protocols, although the request did not ask for it'),
      );
    });
    sent.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    if (body || !hasBody(request)) sent.end(body ?? undefined);
    else request.pipe(sent);
  });
}

async function forwardResponse(
  answer: IncomingMessage,
  { response, gone }: Pick<Exchange, 'response' | 'gone'>,
  target: ForwardRequest,
  call: MeteredCall | null,
): Promise<void> {
  const status = answer.statusCode ?? 0;
  const headers = forwardedHeaders(answer.rawHeaders, () => false);
  response.sendDate = false;
  try {
    target.onStatus?.(status);
    writeHead(response, { status, phrase: answer.statusMessage ?? '', headers });
  } catch (error) {
    answer.on('error', () => undefined).destroy();
    throw error;
  }
  if (!call || status < 200 || status > 299) {
    call?.failed(String(status));
    return pipeline(answer, response, { signal: gone });
  }
  call.answered(contentTypeOf(headers));
  async function* readAlong(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      call?.write(chunk);
      yield chunk;
    }
    // Ends the metered call before the client sees the end of the response, so that its usage
    // precedes the client's next request.
    call?.complete();
  }
  await pipeline(answer, readAlong, response, { signal: gone });
}

function writeHead(
  response: ServerResponse,
  { status, phrase, headers }: { status: number; phrase: string; headers: RawHeaders },
): void {
  try {
    response.writeHead(status, phrase.replace(/[^\t\x20-\x7e]/g, ''), headers);
  } catch {
    throw new Refusal(502, 'the server sent headers that cannot be forwarded');
  }
  response.flushHeaders();
}

function contentTypeOf(headers: RawHeaders): string {
  const at = headers.findIndex((text, place) => place % 2 === 0 && text === 'content-type');
  return at < 0 ? '' : (headers[at + 1] ?? '').toLowerCase();
}
