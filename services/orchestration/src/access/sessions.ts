import { unavailable } from '@switchyard/server';
import { RedisStore } from 'connect-redis';
import type { Request, Response } from 'express';
import session from 'express-session';
import type { Redis } from 'ioredis';
import { type Clock, systemClock } from '../adapters/clock';

declare module 'express-session' {
  interface SessionData {
    userId: string;
    /** Milliseconds since 1970; the absolute limit counts from here. */
    signedInAt: number;
  }
}

export const SESSION_COOKIE = 'service.sid';
const COOKIE = new RegExp(`(?:^|;)\\s*${SESSION_COOKIE.replace('.', '\\.')}=`);

export interface SessionSettings {
  secret: string;
  secureCookie: boolean;
  idleSec: number;
  absoluteSec: number;
}

export interface Sessions {
  /** Who signed in with this browser; read from the store at each call. @throws Refusal 503 */
  userOf(request: Request): Promise<string | null>;
  /** Signs in under a new session id, whatever the browser sent (guarantee G25: fixation). */
  begin(request: Request, userId: string): Promise<void>;
  end(request: Request): Promise<void>;
}

const away = () => unavailable('sessions cannot be read now');

/** Calls something of express-session that answers by callback. */
function settled(call: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error ? reject(away()) : resolve()));
  });
}

/** A request that carries a credential in its header never uses the cookie. */
function hasCookie(request: Request): boolean {
  return request.get('authorization') === undefined && COOKIE.test(request.get('cookie') ?? '');
}

/**
 * Cookie sessions in Redis, idle and absolute limit included: a session lives as long as its key, which
 * each request prolongs up to the absolute limit. A session id that the server did not make is never used.
 */
export function openSessions(
  redis: Redis,
  prefix: string,
  settings: SessionSettings,
  clock: Clock = systemClock,
): Sessions {
  const { secret, secureCookie, idleSec, absoluteSec } = settings;
  const leftSec = (signedInAt: number) =>
    Math.ceil(absoluteSec - (clock.now().getTime() - signedInAt) / 1000);
  const store = new RedisStore({
    client: redis,
    prefix: `${prefix}:session:`,
    ttl: ({ signedInAt }) => Math.min(idleSec, leftSec(signedInAt)),
  });
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: secureCookie } as const;
  const middleware = session({
    name: SESSION_COOKIE,
    secret,
    store,
    cookie: { ...cookie, maxAge: idleSec * 1000 },
    resave: false,
    saveUninitialized: false,
    rolling: true,
  });
  const open = async (request: Request) => {
    // TLS ends in front of this process; that PUBLIC_URL is https says that it does.
    if (secureCookie) Object.defineProperty(request, 'secure', { value: true });
    await settled((done) => middleware(request, request.res as Response, done));
  };
  const stored = async (request: Request): Promise<Partial<session.SessionData> | null> => {
    if (request.session) return store.get(request.sessionID).catch(() => Promise.reject(away()));
    await open(request);
    return request.session;
  };
  return {
    userOf: async (request) => {
      if (!hasCookie(request)) return null;
      const { userId, signedInAt } = (await stored(request)) ?? {};
      if (!userId || !signedInAt) return null;
      if (leftSec(signedInAt) > 0) return userId;
      await settled((done) => request.session.destroy(done));
      return null;
    },

    begin: async (request, userId) => {
      if (!request.session) await open(request);
      await settled((done) => request.session.regenerate(done));
      request.session.userId = userId;
      request.session.signedInAt = clock.now().getTime();
      await settled((done) => request.session.save(done));
    },

    end: async (request) => {
      if (!hasCookie(request)) return;
      await stored(request);
      await settled((done) => request.session.destroy(done));
      request.res?.clearCookie(SESSION_COOKIE, cookie);
    },
  };
}
