import { createHmac } from 'node:crypto';

/**
 * The headers by which a receiver knows that a call came from here, unchanged and not long ago: those of Standard Webhooks
 * (https://www.standardwebhooks.com), so that any of its libraries verifies them.
 */
export function signRequest(
  key: Buffer,
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

/** What a secret that gives no key is told; it names no part of it. */
export const SIGNING_KEY_RULE =
  'must be 24 to 64 random bytes in base64, with or without whsec_ before it';

/** The key that a secret holds, read as the libraries of Standard Webhooks read it; null when it holds none. */
export function signingKey(secret: string): Buffer | null {
  const text = secret.trim().replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  const isWhole = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isWhole && key.length >= 24 && key.length <= 64 ? key : null;
}
