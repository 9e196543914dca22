import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ApiError, invalid } from './errors';

/** Codings of a body by their names in `Content-Encoding` (RFC 9110, 8.4.1). */
const DECODERS: Record<string, () => Transform> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  'x-gzip': createGunzip,
};

const unreadable = (message: string, code: string): ApiError =>
  invalid([{ path: [], message, code }]);

/**
 * Reads a text body in UTF-8, decompressed, without its byte order mark. The rest of a refused body stays unread.
 * @throws ApiError 400 other bytes, a broken compression or a client that hangs up; 413 beyond `limitBytes`;
 * 415 another charset or coding
 */
export async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const charset = charsetOf(request);
  if (!/^utf-?8$/i.test(charset)) {
    throw new ApiError(
      'unsupported_media_type',
      'the body must be UTF-8, without another charset',
      {
        allowed: ['utf-8'],
      },
    );
  }
  return decodeUtf8(await readBytes(request, limitBytes));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws ApiError 400 for bytes that are not UTF-8; none of them is replaced */
function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw unreadable('the body is not valid UTF-8', 'invalid_utf8');
  }
}

function charsetOf({ headers }: IncomingMessage): string {
  return /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
}

function decoderOf({ headers }: IncomingMessage): Transform | null {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return null;
  const create = DECODERS[coding];
  if (create) return create();
  throw new ApiError(
    'unsupported_media_type',
    'the Content-Encoding of the body is not supported',
    {
      allowed: ['identity', 'gzip', 'deflate', 'br'],
    },
  );
}

function readBytes(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const decoder = decoderOf(request);
  const tooLarge = () =>
    new ApiError('too_large', `the body is larger than ${limitBytes} bytes`, { limitBytes });
  if (!decoder && Number(request.headers['content-length'] ?? 0) > limitBytes) throw tooLarge();
  const source = decoder ? request.pipe(decoder) : request;
  return new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (): void => {
      request.off('close', hangUp);
      source.off('data', keep).off('end', finish).off('error', refuse);
      if (!decoder) return;
      request.unpipe(decoder);
      // A decoder may still report an error of bytes that it holds.
      decoder.on('error', () => undefined).destroy();
    };
    const fail = (error: ApiError): void => {
      settle();
      request.pause();
      reject(error);
    };
    const keep = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > limitBytes) fail(tooLarge());
      else chunks.push(chunk);
    };
    const finish = (): void => {
      settle();
      resolve(Buffer.concat(chunks, size));
    };
    const refuse = (): void =>
      fail(unreadable('the body cannot be decompressed', 'invalid_coding'));
    const hangUp = (): void => {
      if (!request.complete) fail(unreadable('the body ended early', 'incomplete_body'));
    };
    request.once('close', hangUp);
    source
      .on('data', keep)
      .on('end', finish)
      .on('error', decoder ? refuse : hangUp);
  });
}
