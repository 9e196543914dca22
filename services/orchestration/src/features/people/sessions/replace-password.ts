import type { PersonModel, Transaction } from '@switchyard/db';
import { addressOf, forbidden, invalidField, unauthenticated } from '@switchyard/server';
import type { LoginBody } from '@switchyard/types';
import { assertStrongPassword } from '../../../access/sign-in/password-strength';
import type { SignIn } from '../../../access/sign-in/sign-in';
import { personActor } from '../../../kernel/actor';
import { databaseTime } from '../../../state/database-time';
import { recordPerson } from '../record-person';
import { wrongCredentials } from './check-password';
import type { SignInCall } from './sign-in-call';

export interface Replacement {
  passwordHash: string | null;
  store(tx: Transaction): Promise<void>;
}

/**
 * The operator knows a password that the operator set, so it expires and must be replaced (OWASP
 * ASVS 5.0, 6.4.1). Call after checking the password.
 * @throws ApiError 403 `password_change_required`, 401 when expired, 400 for a weak, unchanged or
 * unrequested password
 */
export async function replacePassword(
  signIn: SignIn,
  call: SignInCall,
  person: PersonModel,
  { password, newPassword }: LoginBody,
): Promise<Replacement> {
  if (person.passwordExpiresAt === null) {
    if (newPassword === undefined)
      return { passwordHash: person.passwordHash, store: async () => {} };
    const text =
      'must be absent unless the operator set the current password: sign in without newPassword, then change the password';
    throw invalidField('newPassword', text);
  }
  assertNotExpired(call, person);
  if (newPassword === undefined) throw changeRequired('send `newPassword` as well');
  if (newPassword === password)
    throw invalidField('newPassword', 'must differ from the current password');
  await assertStrongPassword('newPassword', newPassword, person);
  const asker = { key: addressOf(call.request), isKnown: false };
  const passwordHash = await signIn.passwords.hash(newPassword, asker);
  return { passwordHash, store: (tx) => storePassword(tx, person, passwordHash) };
}

export function assertOwnPassword(call: SignInCall, person: PersonModel): void {
  if (person.passwordExpiresAt === null) return;
  assertNotExpired(call, person);
  throw changeRequired('sign in and send `newPassword`, then try again');
}

function assertNotExpired(
  { context }: SignInCall,
  { passwordExpiresAt }: Pick<PersonModel, 'passwordExpiresAt'>,
): void {
  if (passwordExpiresAt === null || passwordExpiresAt.getTime() > context.clock.now().getTime())
    return;
  throw unauthenticated(
    'the password that the operator set has expired: ask the operator for a new one',
  );
}

const changeRequired = (next: string) =>
  forbidden(
    'password_change_required',
    `the password that the operator set must be changed: ${next}`,
  );

async function storePassword(
  tx: Transaction,
  { id, passwordHash: before }: PersonModel,
  passwordHash: string,
): Promise<void> {
  if (!(await replaceHash(tx, { id, passwordHash: before }, passwordHash))) {
    throw wrongCredentials();
  }
  await recordPerson(tx, id, personActor(id), 'person.password_changed', { endedSessions: 0 });
}

export async function replaceHash(
  tx: Transaction,
  before: Pick<PersonModel, 'id' | 'passwordHash'>,
  passwordHash: string,
): Promise<boolean> {
  const passwordChangedAt = new Date(await databaseTime(tx));
  const { count } = await tx.prisma.person.updateMany({
    where: { id: before.id, passwordHash: before.passwordHash },
    data: { passwordHash, passwordChangedAt, passwordExpiresAt: null },
  });
  return count > 0;
}
