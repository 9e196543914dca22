import { forbidden, unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import type { Call, Tx } from '../../kernel/call';
import { isRecentSession, lockSession, type SessionHash } from './session-rows';
import { signInOf } from './sign-in';

/**
 * Requires a sign-in or password confirmation within the last minutes, because a credential made in
 * an unattended browser would outlive its session (OWASP ASVS 5.0, 7.5.1). Returns the session;
 * null in local mode.
 * @throws ApiError 401, 403 `recent_sign_in_required`
 */
export async function assertRecentSignIn(
  call: Call<string | null> & { request: Request },
): Promise<SessionHash | null> {
  const signIn = signInOf(call.context);
  if (!signIn) return null;
  const session = await signIn.sessions.current(call.request);
  if (!session) throw unauthenticated('sign in first');
  if (await isRecentSession(call.db, session.hash, RECENT_SEC)) return session.hash;
  const text =
    'this needs a recent sign-in: send the password to POST /api/auth/confirm, or sign in again at the identity provider, then repeat the request';
  throw forbidden('recent_sign_in_required', text);
}

/**
 * Locks the session until this transaction ends, so that a concurrent password reset also removes
 * the new credential.
 * @throws ApiError 401 if the session has ended
 */
export async function holdSession(tx: Tx<string | null>, hash: SessionHash | null): Promise<void> {
  if (hash && !(await lockSession(tx, hash))) throw unauthenticated('sign in first');
}

const RECENT_SEC = 600;
