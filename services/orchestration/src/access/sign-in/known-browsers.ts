import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, systemClock } from '@switchyard/async';
import type { Request } from 'express';
import { deriveKey, type Secrets } from '../seal';

const COOKIE = 'service.known';
const PURPOSE = 'switchyard known browsers';
const LIFE_MS = 180 * 86_400_000;
/** A sibling domain can set any number of cookies with this name, so at most four are checked. */
const MAX_CANDIDATES = 4;

/**
 * "Device cookies" (OWASP, Slow Down Online Guessing Attacks): guesses from other browsers cannot
 * lock out an account's owner.
 */
export interface KnownBrowsers {
  idOf(request: Request, email: string): string | null;
  remember(request: Request, email: string): void;
}

export function createKnownBrowsers(
  secrets: Secrets,
  secureCookie: boolean,
  clock: Clock = systemClock,
): KnownBrowsers {
  const prefix = secureCookie ? '__Secure-' : '';
  const [current, ...old] = secrets.map((secret) => createMarks(secret, `${prefix}${COOKIE}`));
  const now = () => clock.now().getTime();
  const find = ({ nameFor, isOurs }: Marks, request: Request, email: string): string | null => {
    const value = `${nameFor(email).replaceAll('.', '\\.')}=([\\w-]{22})\\.(\\d{13})\\.([\\w-]{43})`;
    const pattern = new RegExp(`(?:^|;) *${value}(?=;|$)`, 'g');
    const found = (request.get('cookie') ?? '').matchAll(pattern);
    for (const [, id = '', until = '', mark = ''] of [...found].slice(0, MAX_CANDIDATES)) {
      if (isOurs(email, id, until, mark) && Number(until) > now()) return id;
    }
    return null;
  };
  return {
    idOf: (request, email) => {
      for (const marks of [current as Marks, ...old]) {
        const id = find(marks, request, email);
        if (id !== null) return id;
      }
      return null;
    },

    remember: (request, email) => {
      const { nameFor, markOf } = current as Marks;
      const id = randomBytes(16).toString('base64url');
      const until = String(now() + LIFE_MS);
      const mark = markOf(email, id, until).toString('base64url');
      request.res?.cookie(nameFor(email), `${id}.${until}.${mark}`, {
        path: '/api/auth',
        maxAge: LIFE_MS,
        httpOnly: true,
        sameSite: 'strict',
        secure: secureCookie,
      });
    },
  };
}

type Marks = ReturnType<typeof createMarks>;

function createMarks(secret: string, cookie: string) {
  const key = deriveKey(secret, PURPOSE);
  const digest = (...parts: string[]) =>
    createHmac('sha256', key).update(parts.join('\n')).digest();
  const markOf = (email: string, id: string, until: string) => digest('browser', email, id, until);
  return {
    nameFor: (email: string) => `${cookie}.${digest('name', email).toString('hex').slice(0, 16)}`,
    markOf,
    isOurs: (email: string, id: string, until: string, mark: string) => {
      const expected = markOf(email, id, until);
      const given = Buffer.from(mark, 'base64url');
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
