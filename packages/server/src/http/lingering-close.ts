import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface LingerBounds {
  bytes: number;
  ms: number;
  closeMs: number;
}

/** More bytes than any upload within the default limits, and the same time as nginx. */
const BOUNDS: LingerBounds = { bytes: 64 * 1024 * 1024, ms: 30_000, closeMs: 1_000 };

/**
 * Ensures that clients receive an answer that precedes the end of their request: closing a
 * connection with unread data can destroy the answer (RFC 9112, 9.6). Sends the answer with
 * `Connection: close`, and discards the rest of the body. A client that sends more than `bounds` is
 * half-closed, then disconnected.
 */
export function lingerAfterEarlyAnswers(server: Server, bounds: LingerBounds = BOUNDS): void {
  server.prependListener('request', (request, response) =>
    endAfterRequest(request, response, bounds),
  );
}

export function endAfterRequest(
  request: IncomingMessage,
  response: ServerResponse,
  bounds: LingerBounds = BOUNDS,
): void {
  if (!hasBody(request)) return;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  response.end = ((...given: unknown[]) => {
    response.end = end;
    if (request.complete || request.destroyed || response.destroyed) return end(...given);
    const [chunk, encoding] = given.filter((each) => typeof each !== 'function');
    const done = given.find((each) => typeof each === 'function');
    writeAll(response, chunk as string | Uint8Array | undefined, encoding as BufferEncoding);
    discardRest(request, bounds, () => end(done));
    return response;
  }) as typeof response.end;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function writeAll(
  response: ServerResponse,
  chunk: string | Uint8Array | undefined,
  encoding: BufferEncoding | undefined,
): void {
  if (!response.headersSent) {
    response.setHeader('Connection', 'close');
    if (chunk !== undefined)
      response.setHeader('Content-Length', Buffer.byteLength(chunk, encoding));
  }
  if (chunk === undefined) response.flushHeaders();
  else response.write(chunk, encoding ?? 'utf8');
}

function discardRest(request: IncomingMessage, bounds: LingerBounds, done: () => void): void {
  let left = bounds.bytes;
  const late = setTimeout(() => stop(), bounds.ms);
  const stop = () => {
    clearTimeout(late);
    request.off('data', count);
    halfClose(request.socket, bounds.closeMs);
  };
  const count = (chunk: Uint8Array) => {
    left -= chunk.length;
    if (left < 0) stop();
  };
  request.once('close', () => clearTimeout(late));
  request.once('end', () => {
    clearTimeout(late);
    done();
  });
  request.on('error', () => undefined);
  request.unpipe();
  request.on('data', count);
  request.resume();
}

/**
 * Sends a last answer on a connection without a response object, half-closes the connection, and
 * discards what the peer still sends. Destroys the connection when the peer closes it or the time
 * in BOUNDS has passed.
 */
export function closeLingering(socket: Duplex, text: string): void {
  socket.on('error', () => undefined);
  socket.write(text);
  halfClose(socket, BOUNDS.ms);
  socket.resume();
}

function halfClose(socket: Duplex, ms: number): void {
  socket.end();
  const cut = setTimeout(() => socket.destroy(), ms);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(cut));
}
