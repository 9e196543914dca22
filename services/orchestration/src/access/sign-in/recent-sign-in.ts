import { forbidden, unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import type { Call, Tx } from '../../call';
import { isRecentSession, lockSession, type SessionHash } from './session-rows';

/**
 * Throws unless the person signed in or confirmed the password within the last minutes: credentials made in an
 * unattended browser would outlive its session (OWASP ASVS 5.0, 7.5.1). Local trusted mode has no passwords, so
 * nothing is checked and null is returned, else the session.
 * @throws ApiError 401, 403 `recent_sign_in_required`
 */
export async function assertRecentSignIn(
  call: Call<string | null> & { request: Request },
): Promise<SessionHash | null> {
  const { signIn } = call.context;
  if (!signIn) return null;
  const session = await signIn.sessions.current(call.request);
  if (!session) throw unauthenticated('sign in first');
  if (await isRecentSession(call.db, session.hash, RECENT_SEC)) return session.hash;
  const text =
    'this needs a recent sign-in: send the password to POST /api/auth/confirm, then repeat the request';
  throw forbidden('recent_sign_in_required', text);
}

/**
 * Makes whatever ends the session wait for this transaction, so that a reset of the password also removes the
 * credential that the transaction makes.
 * @throws ApiError 401 when the session has ended
 */
export async function holdSession(tx: Tx<string | null>, hash: SessionHash | null): Promise<void> {
  if (hash && !(await lockSession(tx, hash))) throw unauthenticated('sign in first');
}

/** Ten minutes. */
const RECENT_SEC = 600;
