import { createHash } from 'node:crypto';
import { ask, type Database, statement, type Transaction } from '@switchyard/db';
import type { SessionLimits } from '../../settings/sign-in-settings';

export type SessionHash = Uint8Array<ArrayBuffer>;

export function hashSessionId(sessionId: string): SessionHash {
  return new Uint8Array(createHash('sha256').update(sessionId).digest());
}

export interface LiveSession {
  id: string;
  userId: string;
}

const live = (p: { hash: string; absoluteSec: string }) => `
  SELECT hash, id, user_id AS "userId", created_at, last_seen_at FROM session
  WHERE hash = ${p.hash} AND expires_at > now()
    AND created_at > now() - make_interval(secs => ${p.absoluteSec})`;

const findLiveSession = statement('find-browser-session', {
  takes: { hash: 'bytes', absoluteSec: 'int' },
  gives: { id: 'uuid', userId: 'uuid' },
  sql: (p) => `SELECT id, "userId" FROM (${live(p)}) live`,
});

const seeLiveSession = statement('see-browser-session', {
  takes: { hash: 'bytes', absoluteSec: 'int', idleSec: 'int' },
  gives: { id: 'uuid', userId: 'uuid' },
  sql: (p) => `WITH live AS (${live(p)}), seen AS (
    UPDATE session SET last_seen_at = now(), expires_at = least(
      now() + make_interval(secs => ${p.idleSec}),
      session.created_at + make_interval(secs => ${p.absoluteSec}))
    FROM live
    WHERE session.hash = live.hash AND session.last_seen_at < now() - interval '1 minute'
  )
  SELECT id, "userId" FROM live`,
});

export async function findSession(
  db: Database,
  hash: SessionHash,
  { absoluteSec }: SessionLimits,
): Promise<LiveSession | null> {
  const [session] = await ask(db, findLiveSession, { hash, absoluteSec });
  return session ?? null;
}

export async function findSeenSession(
  db: Database,
  hash: SessionHash,
  { absoluteSec, idleSec }: SessionLimits,
): Promise<LiveSession | null> {
  const [session] = await ask(db, seeLiveSession, { hash, absoluteSec, idleSec });
  return session ?? null;
}

export interface NewSession extends LiveSession {
  hash: SessionHash;
  /** Hash of the verified password; no session is created if the password has changed since. */
  passwordHash: string | null;
  userAgent: string | null;
  address: string;
  /** Session at the identity provider, for its logout; null after a sign-in with a password. */
  providerSession: string | null;
  /**
   * Time at which the identity provider last asked for the credentials; null after a sign-in with a
   * password.
   */
  authenticatedAt: string | null;
}

export async function insertSession(
  tx: Transaction,
  session: NewSession,
  { absoluteSec, idleSec }: SessionLimits,
): Promise<boolean> {
  const lifeSec = Math.min(idleSec, absoluteSec);
  const inserted = await ask(tx, insertForPassword, { ...session, lifeSec });
  return inserted.length > 0;
}

const insertForPassword = statement('insert-session', {
  takes: {
    hash: 'bytes',
    id: 'uuid',
    userId: 'uuid',
    passwordHash: 'text?',
    userAgent: 'text?',
    address: 'text',
    providerSession: 'text?',
    authenticatedAt: 'time?',
    lifeSec: 'int',
  },
  gives: { id: 'uuid' },
  sql: (p) => `
    INSERT INTO session (hash, id, user_id, user_agent, address, confirmed_at, expires_at, provider_session)
    SELECT ${p.hash}, ${p.id}, p.id, ${p.userAgent}, ${p.address}, ${p.authenticatedAt},
      now() + make_interval(secs => ${p.lifeSec}), ${p.providerSession}
    FROM person p WHERE p.id = ${p.userId} AND p.password_hash IS NOT DISTINCT FROM ${p.passwordHash} FOR SHARE
    RETURNING id`,
});

export async function moveSession(
  tx: Transaction,
  from: SessionHash,
  to: SessionHash,
): Promise<boolean> {
  const moved = await ask(tx, moveByHash, { from, to });
  return moved.length > 0;
}

const moveByHash = statement('move-session', {
  takes: { from: 'bytes', to: 'bytes' },
  gives: { id: 'uuid' },
  sql: ({ from, to }) => `UPDATE session SET hash = ${to} WHERE hash = ${from} RETURNING id`,
});

export async function deleteSession(tx: Transaction, hash: SessionHash): Promise<boolean> {
  const deleted = await ask(tx, deleteByHash, { hash });
  return deleted.length > 0;
}

const deleteByHash = statement('delete-session', {
  takes: { hash: 'bytes' },
  gives: { id: 'uuid' },
  sql: ({ hash }) => `DELETE FROM session WHERE hash = ${hash} RETURNING id`,
});

export async function deleteSessions(
  tx: Transaction,
  userId: string,
  { id = null, except = null }: { id?: string | null; except?: SessionHash | null } = {},
): Promise<number> {
  const deleted = await ask(tx, deleteOfPerson, { userId, id, except });
  return deleted.length;
}

const deleteOfPerson = statement('delete-sessions-of-person', {
  takes: { userId: 'uuid', id: 'uuid?', except: 'bytes?' },
  gives: { id: 'uuid' },
  sql: ({ userId, id, except }) => `
    DELETE FROM session WHERE user_id = ${userId} AND (${id} IS NULL OR id = ${id})
      AND hash IS DISTINCT FROM ${except}
    RETURNING id`,
});

export async function deleteProviderSession(
  tx: Transaction,
  issuer: string,
  providerSession: string,
): Promise<string[]> {
  const deleted = await ask(tx, deleteOfProvider, { issuer, providerSession });
  return deleted.map(({ userId }) => userId);
}

const deleteOfProvider = statement('delete-provider-session', {
  takes: { issuer: 'text', providerSession: 'text' },
  gives: { userId: 'uuid' },
  sql: ({ issuer, providerSession }) => `
    DELETE FROM session USING person p
    WHERE session.provider_session = ${providerSession} AND p.id = session.user_id AND p.provider_issuer = ${issuer}
    RETURNING session.user_id AS "userId"`,
});

export async function isRecentSession(
  db: Database,
  hash: SessionHash,
  withinSec: number,
): Promise<boolean> {
  const [session] = await ask(db, findRecentSession, { hash, withinSec });
  return session !== undefined;
}

const findRecentSession = statement('find-recent-session', {
  takes: { hash: 'bytes', withinSec: 'int' },
  gives: {},
  sql: ({ hash, withinSec }) => `
    SELECT FROM session WHERE hash = ${hash}
      AND coalesce(confirmed_at, created_at) > now() - make_interval(secs => ${withinSec})`,
});

export async function lockSession(tx: Transaction, hash: SessionHash): Promise<boolean> {
  const rows = await ask(tx, lockSessionRow, { hash });
  return rows.length > 0;
}

const lockSessionRow = statement('lock-browser-session', {
  takes: { hash: 'bytes' },
  gives: {},
  sql: ({ hash }) => `SELECT FROM session WHERE hash = ${hash} FOR KEY SHARE`,
});

export async function confirmSession(
  tx: Transaction,
  hash: SessionHash,
  passwordHash: string | null,
): Promise<boolean> {
  const confirmed = await ask(tx, confirmByHash, { hash, passwordHash });
  return confirmed.length > 0;
}

const confirmByHash = statement('confirm-session', {
  takes: { hash: 'bytes', passwordHash: 'text?' },
  gives: { id: 'uuid' },
  sql: ({ hash, passwordHash }) => `
    UPDATE session SET confirmed_at = now() FROM person p
    WHERE session.hash = ${hash} AND p.id = session.user_id AND p.password_hash = ${passwordHash}
    RETURNING session.id`,
});
