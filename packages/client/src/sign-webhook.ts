import type { operations } from './generated/orchestration';

type FireHeaders = NonNullable<operations['fireTrigger']['parameters']['header']>;

export type WebhookSignature = Required<
  Pick<FireHeaders, 'X-Service-Timestamp' | 'X-Service-Signature'>
>;

/**
 * Returns the hexadecimal HMAC-SHA256 of the timestamp, a full stop and the body.
 * @param at time of sending; now if absent
 */
export async function signWebhook(
  secret: string,
  body: string | Uint8Array,
  at: Date = new Date(),
): Promise<WebhookSignature> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const text = new TextEncoder();
  const bytes = typeof body === 'string' ? text.encode(body) : body;
  const prefix = text.encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': hex };
}
