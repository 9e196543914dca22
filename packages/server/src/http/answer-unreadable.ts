import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  maxHeaderSize,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '@switchyard/types';
import { correlationIdFrom } from '../tracing/correlation';
import { errorResponse } from './error-response';
import { ApiError, invalid } from './errors';
import { closeLingering, endAfterRequest } from './lingering-close';

const unreadable = (message: string): ApiError =>
  invalid([{ path: [], message, code: 'invalid_http' }]);

const MALFORMED = unreadable('the request is not valid HTTP');
const HOSTLESS = unreadable('the request has no Host header');
const EXPECTATION = new ApiError('expectation_failed', 'the Expect header must be 100-continue');
const LATE = new ApiError('request_timeout', 'the request did not arrive in time');

const tooLarge = (code: ErrorCode, what: string, limitBytes: number): ApiError =>
  new ApiError(code, `${what} must not exceed ${limitBytes} bytes`, { limitBytes });

const BY_CODE: Record<string, ApiError> = {
  HPE_HEADER_OVERFLOW: tooLarge('headers_too_large', 'the headers', maxHeaderSize),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: tooLarge('too_large', 'the chunk extensions', 16_384),
  ERR_HTTP_REQUEST_TIMEOUT: LATE,
};

function rawAnswer(refusal: ApiError): string {
  const requestId = randomUUID();
  const { status, body } = errorResponse(refusal, requestId);
  const text = JSON.stringify(body);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Correlation-ID: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    text,
  ].join('\r\n');
}

function answer(request: IncomingMessage, response: ServerResponse, refusal: ApiError): void {
  const header = (name: string) => request.headers[name]?.toString();
  const requestId = correlationIdFrom(header);
  const { status, body } = errorResponse(refusal, requestId);
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(text),
      'X-Correlation-ID': requestId,
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    })
    .end(text);
}

/**
 * Rejects a request without a Host header, because Node.js would answer it without a body. Returns
 * true if it rejected the request.
 */
export function refuseHostless(request: IncomingMessage, response: ServerResponse): boolean {
  const isHostless = request.headers.host === undefined && request.httpVersion === '1.1';
  if (isHostless) answer(request, response, HOSTLESS);
  return isHostless;
}

/**
 * Sends the contract's error body for input that never becomes a request (malformed, too large, too
 * slow), unless another answer has begun on the connection.
 */
export function answerUnreadable(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.prependListener('request', (request, response) => latest.set(request.socket, response));
  server.on('checkExpectation', (request, response) => {
    endAfterRequest(request, response);
    answer(request, response, EXPECTATION);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (refused.has(socket)) return;
    refused.add(socket);
    const response = latest.get(socket);
    const isUnderWay = response?.headersSent && !response.writableFinished;
    if (!socket.writable || isUnderWay || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    closeLingering(socket, rawAnswer(BY_CODE[error.code ?? ''] ?? MALFORMED));
  });
}
