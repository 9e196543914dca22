import { Webhook } from 'standardwebhooks';

/**
 * Returns the headers of Standard Webhooks (https://www.standardwebhooks.com), which prove the
 * origin, integrity and age of a request. There is one signature per key; during a rotation there
 * are two keys.
 */
export function signRequest(
  keys: readonly Buffer[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const sign = (key: Buffer) => new Webhook(key, { format: 'raw' }).sign(id, at, body);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    ...(keys.length > 0 && { 'webhook-signature': keys.map(sign).join(' ') }),
  };
}

export const SIGNING_KEY_RULE =
  'must be 24 to 64 random bytes in base64, optionally with the prefix whsec_';

export function signingKey(secret: string): Buffer | null {
  const text = secret.trim().replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  const isWhole = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isWhole && key.length >= 24 && key.length <= 64 ? key : null;
}
