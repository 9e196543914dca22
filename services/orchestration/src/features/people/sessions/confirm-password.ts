import { forbidden, unauthenticated } from '@switchyard/server';
import type { ConfirmPasswordBody } from '@switchyard/types';
import { confirmSession } from '../../../access/sign-in/session-rows';
import { personActor } from '../../../kernel/actor';
import { inTransaction } from '../../../kernel/call';
import { recordPerson } from '../record-person';
import { tryPassword } from './check-password';
import { ownSession } from './own-session';
import type { SignInCall } from './sign-in-call';

export async function confirmPassword(
  call: SignInCall,
  { password }: ConfirmPasswordBody,
): Promise<void> {
  const { signIn, session } = await ownSession(call);
  const person = await call.db.prisma.person.findUnique({ where: { id: session.userId } });
  if (!person) throw unauthenticated('sign in first');
  const { id, email, passwordHash } = person;
  if (!(await tryPassword(signIn, call.request, { email, password, person }))) {
    throw forbidden('wrong_password', 'the password is wrong');
  }
  await inTransaction(call, async (tx) => {
    if (!(await confirmSession(tx, session.hash, passwordHash)))
      throw unauthenticated('sign in first');
    const details = { sessionId: session.id };
    await recordPerson(tx, id, personActor(id), 'person.password_confirmed', details);
  });
}
