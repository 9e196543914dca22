import type { PersonModel } from '@switchyard/db';
import { addressOf, unauthenticated } from '@switchyard/server';
import type { Request } from 'express';
import type { SignIn } from '../../../access/sign-in/sign-in';
import type { SignInCall } from './sign-in-call';

/**
 * The error is the same for an unknown address, a wrong password and a password that is not
 * accepted (OIDC_ONLY).
 * @throws ApiError 401; 429 after too many failures; 429 or 503 while too many passwords wait
 */
export async function checkPassword(
  signIn: SignIn,
  { db, request }: SignInCall,
  given: { email: string; password: string },
): Promise<PersonModel> {
  const person = await db.prisma.person.findUnique({ where: { email: given.email } });
  const isRight = await tryPassword(signIn, request, { ...given, person });
  if (!person || !isRight) throw wrongCredentials();
  return person;
}

export const wrongCredentials = () =>
  unauthenticated('the e-mail address or the password is wrong');

interface Attempt {
  email: string;
  password: string;
  person: PersonModel | null;
}

/**
 * Takes the same time if the account does not exist; counts failures. With OIDC_ONLY, accepts only
 * a password that the operator has set.
 * @throws ApiError 429 after too many failures; 429 or 503 while too many passwords wait
 */
export async function tryPassword(
  signIn: SignIn,
  request: Request,
  attempt: Attempt,
): Promise<boolean> {
  const { email, password, person } = attempt;
  const address = addressOf(request);
  const browser = signIn.knownBrowsers.idOf(request, email);
  const guess = { address, email: accountOf(attempt), browser };
  const { isKnown, ...counted } = await signIn.throttle.guess(guess);
  const asker = { key: (isKnown && browser) || address, isKnown };
  const isAccepted = signIn.acceptsPasswords || person?.passwordExpiresAt !== null;
  const passwordHash = isAccepted ? (person?.passwordHash ?? null) : null;
  const looking = signIn.passwords.verify(password, passwordHash, asker);
  const isRight = await looking.catch(async (error: unknown) => {
    await counted.refundUnchecked();
    throw error;
  });
  if (isRight) {
    await counted.refundCorrect();
    return true;
  }
  signIn.logger.info('a sign-in failed', { address, userId: person?.id ?? null });
  if (person) signIn.failures.note(person.id);
  return false;
}

function accountOf({ email, person }: Attempt): string {
  const since = person?.passwordChangedAt;
  return since ? `${email} ${since.toISOString()}` : email;
}
