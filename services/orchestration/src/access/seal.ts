import { hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '../adapters/secret-box/aes-gcm';

/** The secret that signs and seals, then what is still accepted while it is changed. */
export type Secrets = readonly [current: string, ...old: string[]];

export const secretsOf = (current: string, old: string | null): Secrets =>
  old === null ? [current] : [current, old];

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

/** @throws Error when the secrets are others or the text was changed */
export function unseal([secret, ...old]: Secrets, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    return openBytes(deriveKey(secret, PURPOSE), bytes, '').toString('utf8');
  } catch (error) {
    const [next, ...rest] = old;
    if (next === undefined) throw error;
    return unseal([next, ...rest], sealed);
  }
}
