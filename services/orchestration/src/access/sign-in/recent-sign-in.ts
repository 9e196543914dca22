import { forbidden, unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import type { Call } from '../../call';
import { isRecentSession } from './session-rows';

/**
 * Throws unless the person signed in or confirmed the password within the last minutes: credentials made in an
 * unattended browser would outlive its session (OWASP ASVS 5.0, 7.5.1). Local trusted mode has no passwords, so
 * nothing is checked.
 * @throws ApiError 401, 403 `recent_sign_in_required`
 */
export async function assertRecentSignIn(
  call: Call<string | null> & { request: Request },
): Promise<void> {
  const { signIn } = call.context;
  if (!signIn) return;
  const session = await signIn.sessions.current(call.request);
  if (!session) throw unauthenticated('sign in first');
  if (await isRecentSession(call.db, session.hash, RECENT_SEC)) return;
  const text =
    'this needs a recent sign-in: send the password to POST /api/auth/confirm, then repeat the request';
  throw forbidden('recent_sign_in_required', text);
}

/** Ten minutes. */
const RECENT_SEC = 600;
