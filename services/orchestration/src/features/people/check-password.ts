import type { Database, PersonModel } from '@switchyard/db';
import { unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import { addressOf } from '../../access/addresses';
import type { SignIn } from '../../access/sign-in';

/**
 * The person of an e-mail address and its password (guarantee G25). One text for an unknown address and
 * a wrong password, in the same time.
 * @throws Refusal 401, 429 after too many failures, 429 or 503 while too many passwords wait
 */
export async function checkPassword(
  signIn: SignIn,
  db: Database,
  request: Request,
  given: { email: string; password: string },
): Promise<PersonModel> {
  const { email, password } = given;
  const address = addressOf(request);
  const browser = signIn.knownBrowsers.idOf(request, email);
  const { isKnown, ...counted } = await signIn.throttle.guess({ address, email, browser });
  const asker = { key: (isKnown && browser) || address, isKnown };
  const look = async () => {
    const person = await db.prisma.person.findUnique({ where: { email } });
    const isRight = await signIn.passwords.verify(password, person?.passwordHash ?? null, asker);
    return { person, isRight };
  };
  const { person, isRight } = await look().catch(async (error: unknown) => {
    await counted.wasNotLookedAt();
    throw error;
  });
  if (!person || !isRight) {
    signIn.logger.info('a sign-in was refused', { address, userId: person?.id ?? null });
    throw unauthenticated('the e-mail address or the password is wrong');
  }
  await counted.wasRight();
  return person;
}
