import { createHash } from 'node:crypto';
import type { Request } from 'express';
import readStream from 'raw-body';

const MAX_WEBHOOK_BYTES = 1_048_576;

/** Two bodies are equal if their bytes are equal, whatever the content type. */
export interface SentBody {
  bytes: Buffer;
  contentType: string | undefined;
  header(name: string): string | undefined;
  toJSON(): string;
}

/**
 * Returns the bytes unmodified, even if compressed, because the signature covers them.
 * @throws raw-body's error 413, or 400 if the sender disconnects
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
