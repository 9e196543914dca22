import type { Readable } from 'node:stream';
import { ApiError } from '@switchyard/server';

/** The limit of what a webhook may send (issue of the sender's, not of the signature). */
export const MAX_WEBHOOK_BYTES = 1_048_576;

function tooLarge(): ApiError {
  const message = `the body is larger than ${MAX_WEBHOOK_BYTES} bytes`;
  return new ApiError('too_large', message, { limitBytes: MAX_WEBHOOK_BYTES });
}

/**
 * The bytes as they came: a signature is about them and not about what a parser makes of them (G17).
 * @throws ApiError 413, 400 when the sender hangs up
 */
export async function readRawBody(request: Readable, declared: number): Promise<Buffer> {
  if (declared > MAX_WEBHOOK_BYTES) throw tooLarge();
  const parts: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const stop = (error: Error) => {
      request.off('data', take).pause();
      reject(error);
    };
    const take = (part: Buffer) => {
      size += part.length;
      if (size > MAX_WEBHOOK_BYTES) return stop(tooLarge());
      parts.push(part);
    };
    request.on('data', take);
    request.once('end', () => resolve(Buffer.concat(parts)));
    request.once('error', () => stop(new ApiError('validation_error', 'the body ended too soon')));
  });
}
