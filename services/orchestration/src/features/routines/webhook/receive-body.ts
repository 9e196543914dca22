import { createHash } from 'node:crypto';
import type { Request } from 'express';
import readStream from 'raw-body';

const MAX_WEBHOOK_BYTES = 1_048_576;

/** What a webhook's sender sent. Two are the same when their bytes are, whatever their content type. */
export interface SentBody {
  bytes: Buffer;
  contentType: string | undefined;
  header(name: string): string | undefined;
  toJSON(): string;
}

/**
 * The bytes as they came, compressed ones too: a signature is about them and not about what a parser makes of them.
 * @throws raw-body's error 413, or 400 when the sender hangs up
 */
export async function receiveBody(request: Request): Promise<SentBody> {
  const length = request.get('content-length') ?? null;
  const bytes = await readStream(request, { limit: MAX_WEBHOOK_BYTES, length });
  return {
    bytes,
    contentType: request.get('content-type'),
    header: (name) => request.get(name),
    toJSON: () => createHash('sha256').update(bytes).digest('hex'),
  };
}
