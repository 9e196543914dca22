import { hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '../adapters/secret-box/aes-gcm';

/** A key for one purpose from the server's secret, so that no two purposes share one. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

const PURPOSE = 'switchyard idempotency answers';

/** AES-256-GCM; for answers that show a credential once and are kept for replay. */
export function seal(secret: string, plain: string): string {
  const sealed = sealBytes(deriveKey(secret, PURPOSE), Buffer.from(plain, 'utf8'), '');
  return sealed.toString('base64');
}

/** @throws Error when the secret is another one or the text was changed */
export function unseal(secret: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  return openBytes(deriveKey(secret, PURPOSE), bytes, '').toString('utf8');
}
