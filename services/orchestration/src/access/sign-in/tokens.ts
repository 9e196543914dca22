import { createHash, randomBytes } from 'node:crypto';

/** SHA-256 is enough: the token has 256 random bits. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** 43 characters, shown once, and the stored hash. */
export function newToken(): { token: string; hash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}
