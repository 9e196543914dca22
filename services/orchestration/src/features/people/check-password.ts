import type { Database, PersonModel } from '@switchyard/db';
import { unauthenticated } from '@switchyard/server';
import type { SignIn } from '../../access/sign-in';

/**
 * The person of an e-mail address and its password (guarantee G25). One text for an unknown address and
 * a wrong password, in the same time.
 * @throws Refusal 401, 429 after too many failures of the address or the account
 */
export async function checkPassword(
  signIn: SignIn,
  db: Database,
  address: string,
  given: { email: string; password: string },
): Promise<PersonModel> {
  const { email, password } = given;
  await signIn.throttle.attempt(address, email);
  const person = await db.prisma.person.findUnique({ where: { email } });
  const isRight = await signIn.passwords.verify(password, person?.passwordHash ?? null);
  if (!person || !isRight) {
    signIn.logger.info('a sign-in was refused', { address, userId: person?.id ?? null });
    throw unauthenticated('the e-mail address or the password is wrong');
  }
  await signIn.throttle.succeeded(address, email);
  return person;
}
