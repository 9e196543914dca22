import { unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import type { CurrentSession } from '../../access/sessions';
import { requireSignIn, type SignIn } from '../../access/sign-in';

/** @throws ApiError 401 for who is not signed in any more, 409 in local trusted mode */
export async function ownSession(
  maybe: SignIn | null,
  request: Request,
): Promise<{ signIn: SignIn; session: CurrentSession }> {
  const signIn = requireSignIn(maybe);
  const session = await signIn.sessions.current(request);
  if (!session) throw unauthenticated('sign in first');
  return { signIn, session };
}
