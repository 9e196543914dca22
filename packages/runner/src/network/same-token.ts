import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string) => createHash('sha256').update(text).digest();

export function isSameToken(shown: string, token: string): boolean {
  return timingSafeEqual(digest(shown), digest(token));
}
