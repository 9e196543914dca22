import { createHash, randomBytes } from 'node:crypto';

/** SHA-256 is enough: the token is 256 random bits, so there is nothing to guess faster. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}

/** A token that is shown once, of 43 characters, and what is stored of it. */
export function newToken(): { token: string; hash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}
