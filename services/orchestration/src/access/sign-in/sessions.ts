import type { Database } from '@switchyard/db';
import type { Request, Response } from 'express';
import session, { Store } from 'express-session';
import type { SessionLimits, SessionSettings } from '../../settings/sign-in-settings';
import type { Secrets } from '../seal';
import {
  findSeenSession,
  findSession,
  hashSessionId,
  type LiveSession,
  type SessionHash,
} from './session-rows';

declare module 'express-session' {
  interface SessionData {
    live: LiveSession;
  }
}

export const SESSION_COOKIE = 'service.sid';

/**
 * Browsers accept this prefix only over https and from this host, so no sibling domain can set the
 * cookie.
 */
export const HOST_PREFIX = '__Host-';

export interface CurrentSession extends LiveSession {
  hash: SessionHash;
}

export interface Sessions {
  readonly limits: SessionLimits;
  readonly secureCookie: boolean;
  current(request: Request): Promise<CurrentSession | null>;
  /**
   * Always generates a new session id, to prevent session fixation. `work` writes the row; if it
   * throws, the browser's session stays.
   */
  renew<T>(
    request: Request,
    work: (ids: { from: SessionHash; to: SessionHash }) => Promise<T>,
  ): Promise<T>;
  forget(request: Request): void;
}

/**
 * This store only reads, because sign-in and sign-out write sessions in their own transactions. If
 * the session library saved at the end of a request, it could restore a session that has ended in
 * the meantime.
 */
class SessionTable extends Store {
  constructor(
    private readonly find: (hash: SessionHash) => Promise<LiveSession | null>,
    private readonly cookie: object,
  ) {
    super();
  }

  override get(
    sessionId: string,
    done: (error: unknown, data?: session.SessionData | null) => void,
  ): void {
    this.find(hashSessionId(sessionId)).then(
      (live) => done(null, live && { live, cookie: { ...this.cookie } as session.Cookie }),
      (error: unknown) => done(error),
    );
  }

  override set(_id: string, _data: session.SessionData, done?: () => void): void {
    done?.();
  }

  override destroy(_id: string, done?: () => void): void {
    done?.();
  }
}

export function openSessions(db: Database, secrets: Secrets, settings: SessionSettings): Sessions {
  const { secureCookie, idleSec, absoluteSec } = settings;
  const name = `${secureCookie ? HOST_PREFIX : ''}${SESSION_COOKIE}`;
  const named = new RegExp(`(?:^|;)\\s*${name.replace('.', '\\.')}=`);
  const hasCookie = (request: Request) =>
    request.get('authorization') === undefined && named.test(request.get('cookie') ?? '');
  const limits = { idleSec, absoluteSec };
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: secureCookie } as const;
  const maxAge = idleSec * 1000;
  const store = new SessionTable((hash) => findSeenSession(db, hash, limits), {
    ...cookie,
    originalMaxAge: maxAge,
  });
  const middleware = session({
    name,
    secret: [...secrets],
    store,
    cookie: { ...cookie, maxAge },
    resave: false,
    saveUninitialized: false,
    rolling: true,
  });
  const open = async (request: Request) => {
    if (request.session) return;
    // An https PUBLIC_URL means that a proxy terminates TLS, so the request counts as secure.
    if (secureCookie) Object.defineProperty(request, 'secure', { value: true });
    await new Promise<void>((resolve, reject) => {
      middleware(request, request.res as Response, (error?: unknown) =>
        error ? reject(error) : resolve(),
      );
    });
  };
  return {
    limits,
    secureCookie,

    current: async (request) => {
      if (!hasCookie(request)) return null;
      const isOpen = request.session !== undefined;
      await open(request);
      const hash = hashSessionId(request.sessionID);
      const live = isOpen ? await findSession(db, hash, limits) : request.session.live;
      return live ? { ...live, hash } : null;
    },

    renew: async (request, work) => {
      await open(request);
      const before = { id: request.sessionID, session: request.session };
      request.sessionStore.generate(request);
      const ids = { from: hashSessionId(before.id), to: hashSessionId(request.sessionID) };
      try {
        return await work(ids);
      } catch (error) {
        request.sessionID = before.id;
        request.session = before.session;
        throw error;
      }
    },

    forget: (request) => {
      if (!hasCookie(request)) return;
      request.session?.destroy(() => undefined);
      request.res?.clearCookie(name, cookie);
    },
  };
}
