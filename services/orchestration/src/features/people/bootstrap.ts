import { newId } from '@switchyard/db';
import { addressOf, unauthenticated } from '@switchyard/server';
import type { BootstrapBody, UserView } from '@switchyard/types';
import { assertStrongPassword } from '../../access/sign-in/password-strength';
import { requireSignIn } from '../../access/sign-in/sign-in';
import { hashToken } from '../../access/sign-in/tokens';
import { createFirstPerson, isNobodyThere } from './first-person';
import { presentUser } from './present-person';
import { beginSession } from './sessions/begin-session';
import type { SignInCall } from './sessions/sign-in-call';

/**
 * Creates the first person: an administrator who becomes owner of all companies without members.
 * @throws ApiError 401 for a wrong or used token, 409 in local mode, 429
 */
export async function bootstrap(
  call: SignInCall,
  body: BootstrapBody,
): Promise<{ user: UserView }> {
  const signIn = requireSignIn(call.context);
  const { token, email, name, password } = body;
  const tokenHash = hashToken(token);
  const address = addressOf(call.request);
  await signIn.throttle.attempt(address);
  if (!(await call.db.prisma.bootstrapToken.findUnique({ where: { tokenHash } }))) throw refuse();
  await assertStrongPassword('password', password, body);
  const passwordHash = await signIn.passwords.hash(password, { key: address, isKnown: false });
  const account = { id: newId(), passwordHash };
  const person = await beginSession(signIn, call, account, async (tx) => {
    const nobodyThere = await isNobodyThere(tx);
    const { count } = await tx.prisma.bootstrapToken.deleteMany({ where: { tokenHash } });
    if (!nobodyThere || count === 0) throw refuse();
    return createFirstPerson(tx, { ...account, email, name });
  });
  await signIn.throttle.succeeded(address);
  signIn.knownBrowsers.remember(call.request, person.email);
  signIn.logger.info('the first account was created', { userId: person.id, address });
  return { user: presentUser(person) };
}

const refuse = () => unauthenticated('the bootstrap token is not valid');
