import { forbidden, unauthenticated } from '@switchyard/server';
import type { ChangePasswordBody } from '@switchyard/types';
import { assertStrongPassword } from '../../../access/sign-in/password-strength';
import { deleteSessions, moveSession } from '../../../access/sign-in/session-rows';
import { personActor } from '../../../kernel/actor';
import { inTransaction } from '../../../kernel/call';
import { recordPerson } from '../record-person';
import { tryPassword } from './check-password';
import { ownSession } from './own-session';
import { replaceHash } from './replace-password';
import type { SignInCall } from './sign-in-call';

/**
 * Ends the person's other sessions; the current one gets a new id. One of two concurrent changes
 * fails.
 * @throws ApiError 400 for a weak password, 403 `wrong_password`, 409 in local mode, 429
 */
export async function changePassword(call: SignInCall, body: ChangePasswordBody): Promise<void> {
  const { signIn, session } = await ownSession(call);
  const { currentPassword, newPassword } = body;
  const { userId } = session;
  const person = await call.db.prisma.person.findUnique({ where: { id: userId } });
  if (!person) throw unauthenticated('sign in first');
  const attempt = { email: person.email, password: currentPassword, person };
  if (!(await tryPassword(signIn, call.request, attempt))) throw wrongPassword();
  await assertStrongPassword('newPassword', newPassword, person);
  const asker = { key: userId, isKnown: true };
  const passwordHash = await signIn.passwords.hash(newPassword, asker);
  await signIn.sessions.renew(call.request, ({ from, to }) =>
    inTransaction(call, async (tx) => {
      if (!(await replaceHash(tx, person, passwordHash))) throw wrongPassword();
      const endedSessions = await deleteSessions(tx, userId, { except: from });
      if (!(await moveSession(tx, from, to))) throw unauthenticated('sign in first');
      const details = { endedSessions };
      await recordPerson(tx, userId, personActor(userId), 'person.password_changed', details);
    }),
  );
  signIn.logger.info('a password was changed', { userId });
}

const wrongPassword = () => forbidden('wrong_password', 'the current password is wrong');
