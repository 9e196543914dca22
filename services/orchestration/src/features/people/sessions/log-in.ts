import { addressOf } from '@switchyard/server';
import type { LoginBody, UserView } from '@switchyard/types';
import { deleteSession } from '../../../access/sign-in/session-rows';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import { personActor } from '../../../kernel/actor';
import { inTransaction } from '../../../kernel/call';
import { presentUser } from '../present-person';
import { recordPerson } from '../record-person';
import { beginSession } from './begin-session';
import { checkPassword } from './check-password';
import { replacePassword } from './replace-password';
import type { SignInCall } from './sign-in-call';

/**
 * @throws ApiError 400 for `newPassword`, 401, 403 `password_change_required`, 409 in local mode,
 * 429, 503 while sessions cannot be written
 */
export async function logIn(call: SignInCall, body: LoginBody): Promise<{ user: UserView }> {
  const signIn = requireSignIn(call.context);
  const address = addressOf(call.request);
  const person = await checkPassword(signIn, call, body);
  const { passwordHash, store } = await replacePassword(signIn, call, person, body);
  await beginSession(signIn, call, { id: person.id, passwordHash }, store);
  signIn.knownBrowsers.remember(call.request, person.email);
  signIn.logger.info('a person signed in', { userId: person.id, address });
  return { user: presentUser(person) };
}

export async function logOut(call: SignInCall): Promise<void> {
  const { sessions } = requireSignIn(call.context);
  const session = await sessions.current(call.request);
  if (session) {
    const { hash, id: sessionId, userId } = session;
    await inTransaction(call, async (tx) => {
      if (!(await deleteSession(tx, hash))) return;
      await recordPerson(tx, userId, personActor(userId), 'person.signed_out', { sessionId });
    });
  }
  sessions.forget(call.request);
}
