import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import readStream from 'raw-body';
import { ApiError, invalid } from './errors';

const DECODERS: Record<string, () => Transform> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
  'x-gzip': createGunzip,
};

const unreadable = (message: string, code: string): ApiError =>
  invalid([{ path: [], message, code }]);

/**
 * Reads a text body in UTF-8, decompressed, without its byte order mark. Does not read the rest of
 * a rejected body.
 * @throws ApiError 400 for invalid bytes or compression, 415 for another charset or coding; errors
 * of raw-body: 413 beyond `limitBytes`, 400 when the client disconnects
 */
export async function readText(request: IncomingMessage, limitBytes: number): Promise<string> {
  const charset = charsetOf(request);
  if (!/^utf-?8$/i.test(charset)) {
    throw new ApiError(
      'unsupported_media_type',
      'the body must be UTF-8; no other charset is accepted',
      {
        allowed: ['utf-8'],
      },
    );
  }
  return decodeUtf8(await readBytes(request, limitBytes));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

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
    'the Content-Encoding of the body must be identity, gzip, deflate or br',
    {
      allowed: ['identity', 'gzip', 'deflate', 'br'],
    },
  );
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const decoder = decoderOf(request);
  if (!decoder) {
    return readStream(request, { limit, length: request.headers['content-length'] ?? null });
  }
  request.once('close', () => {
    if (!request.complete)
      decoder.destroy(new Error('the request ended before its body was complete'));
  });
  try {
    return await readStream(request.pipe(decoder), { limit });
  } catch (error) {
    if ((error as { type?: string }).type === 'entity.too.large') throw error;
    throw unreadable('the body cannot be decompressed', 'invalid_coding');
  } finally {
    request.unpipe(decoder);
    decoder.on('error', () => undefined).destroy();
  }
}
