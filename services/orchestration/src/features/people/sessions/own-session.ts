import { unauthenticated } from '@switchyard/server';
import type { CurrentSession } from '../../../access/sign-in/sessions';
import { requireSignIn, type SignIn } from '../../../access/sign-in/sign-in';
import type { SignInCall } from './sign-in-call';

export async function ownSession({
  context,
  request,
}: SignInCall): Promise<{ signIn: SignIn; session: CurrentSession }> {
  const signIn = requireSignIn(context);
  const session = await signIn.sessions.current(request);
  if (!session) throw unauthenticated('sign in first');
  return { signIn, session };
}
