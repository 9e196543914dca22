import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in a time that tells nothing of the token. */
export function isSameToken(shown: string, token: string): boolean {
  return timingSafeEqual(digest(shown), digest(token));
}
