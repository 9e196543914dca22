import { hkdfSync } from 'node:crypto';
import { openBytes, sealBytes } from '../adapters/secret-box/aes-gcm';

export type Secrets = readonly [current: string, ...old: string[]];

export const secretsOf = (current: string, old: string | null): Secrets =>
  old === null ? [current] : [current, old];

export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

const PURPOSE = 'switchyard idempotency answers';

export function seal(secret: string, plain: string): string {
  const sealed = sealBytes(deriveKey(secret, PURPOSE), Buffer.from(plain, 'utf8'), '');
  return sealed.toString('base64');
}

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
