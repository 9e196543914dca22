import {
  ask,
  type Database,
  type InviteModel,
  newId,
  type PersonModel,
  statement,
  type Transaction,
} from '@switchyard/db';
import { ApiError, addressOf, conflict, forbidden, invalidField, parse } from '@switchyard/server';
import {
  type AcceptInviteBody,
  credentials,
  type MembershipView,
  newPerson,
  type Role,
  type UserView,
} from '@switchyard/types';
import { assertStrongPassword } from '../../../access/sign-in/password-strength';
import { deleteSessions } from '../../../access/sign-in/session-rows';
import { requireSignIn, type SignIn } from '../../../access/sign-in/sign-in';
import { hashToken } from '../../../access/sign-in/tokens';
import { personActor } from '../../../kernel/actor';
import { inTransaction } from '../../../kernel/call';
import { databaseTime } from '../../../state/database-time';
import { presentMembership, presentUser } from '../present-person';
import { beginSession } from '../sessions/begin-session';
import { checkPassword } from '../sessions/check-password';
import { assertOwnPassword } from '../sessions/replace-password';
import type { SignInCall } from '../sessions/sign-in-call';
import { deleteTokens } from '../tokens/token-rows';
import { addMember } from './add-member';
import { shareCompany } from './company-locks';

/**
 * The caller joins as the signed-in person, with an existing account, or with a new one, and is
 * then signed in.
 * @throws ApiError 400 naming missing fields, 401 for a wrong password, 403 for another person's
 * invite or `password_change_required`, 404 for an unknown token, 409 if the invite is used or
 * expired, the person is already a member or the company is archived, 429
 */
export async function acceptInvite(
  call: SignInCall,
  token: string,
  body: AcceptInviteBody,
): Promise<{ user: UserView; membership: MembershipView }> {
  const signIn = requireSignIn(call.context);
  await signIn.throttle.attempt(addressOf(call.request));
  const invite = await openInvite(call.db, token);
  const present = await signedInPerson(signIn, call, body);
  assertFor(invite, present?.user.email ?? body.email);
  if (invite.acceptedAt) throw used();
  const joining = present ?? (await joiningPerson(signIn, call, body));
  const { user } = joining;
  const account = { id: user.id, passwordHash: joining.passwordHash };
  const row = present
    ? await inTransaction(call, (tx) => joinCompany(tx, invite, joining))
    : await beginSession(signIn, call, account, (tx) => joinCompany(tx, invite, joining));
  await signIn.throttle.succeeded(addressOf(call.request));
  if (!present) signIn.knownBrowsers.remember(call.request, user.email);
  return { user: presentUser(user), membership: presentMembership(row) };
}

export interface Joining {
  user: UserView & { email: string };
  passwordHash: string | null;
  isNew: boolean;
  /** The identity at the provider; stored in the account's row. */
  provider?: { providerIssuer: string; providerSubject: string };
}

export async function openInvite(db: Database, token: string): Promise<InviteModel> {
  const invite = await db.prisma.invite.findUnique({ where: { tokenHash: hashToken(token) } });
  if (!invite) {
    throw new ApiError(
      'not_found',
      'the invite does not exist: it was revoked, or the link is incomplete',
    );
  }
  return invite;
}

async function signedInPerson(
  signIn: SignIn,
  call: SignInCall,
  { email }: AcceptInviteBody,
): Promise<Joining | null> {
  const session = await signIn.sessions.current(call.request);
  if (!session) return null;
  const person = await call.db.prisma.person.findUnique({ where: { id: session.userId } });
  if (!person) return null;
  return email === undefined || email === person.email ? withAccount(person) : null;
}

export const withAccount = (person: PersonModel): Joining => ({
  user: person,
  passwordHash: person.passwordHash,
  isNew: false,
});

export function assertFor(invite: InviteModel, email: string | undefined): void {
  if (invite.email === null || email === undefined || invite.email === email) return;
  throw forbidden('forbidden', 'the invite is for another e-mail address');
}

const used = () =>
  conflict('conflict', 'the invite is no longer valid: it was used, has expired or was revoked', {
    retry: false,
  });

export async function joinCompany(tx: Transaction, invite: InviteModel, joining: Joining) {
  await takeInvite(tx, invite, joining);
  const { id: userId } = joining.user;
  const { companyId, role } = invite;
  await assertNoMember(tx, companyId, userId);
  return addMember(tx, personActor(userId), { companyId, userId, role: role as Role });
}

async function joiningPerson(
  signIn: SignIn,
  call: SignInCall,
  body: AcceptInviteBody,
): Promise<Joining> {
  const given = parse(credentials, body);
  const { email } = given;
  if (await call.db.prisma.person.findUnique({ where: { email } })) {
    const person = await checkPassword(signIn, call, given);
    assertOwnPassword(call, person);
    return withAccount(person);
  }
  if (!signIn.acceptsPasswords) {
    const message = 'passwords are not accepted here: accept the invite at the identity provider';
    throw forbidden('forbidden', message);
  }
  if (body.name === undefined) {
    throw invalidField('name', `is required, because ${email} does not have an account yet`);
  }
  const { name, password } = parse(newPerson, body);
  await assertStrongPassword('password', password, { email, name });
  return {
    user: { id: newId(), email, name },
    passwordHash: await signIn.passwords.hash(password, {
      key: addressOf(call.request),
      isKnown: false,
    }),
    isNew: true,
  };
}

/**
 * Locks the company first, like archiving and changes of members. An invite is void if its creator
 * is no longer an owner.
 */
async function takeInvite(tx: Transaction, invite: InviteModel, joining: Joining): Promise<void> {
  if ((await shareCompany(tx, invite.companyId)) === 'archived') {
    throw conflict('company_archived', 'the company is archived', { retry: false });
  }
  const open = await ask(tx, lockUsableInvite, { inviteId: invite.id });
  if (open.length === 0) throw used();
  const { user, passwordHash, isNew, provider } = joining;
  const { id } = user;
  if (isNew) await tx.prisma.person.create({ data: { ...user, passwordHash, ...provider } });
  else if (provider) await takeOver(tx, id, provider);
  const acceptedAt = new Date(await databaseTime(tx));
  const data = { acceptedAt, acceptedByUserId: user.id };
  await tx.prisma.invite.update({ where: { id: invite.id }, data, select: { id: true } });
}

/**
 * Ends the other credentials of the account. A password does not prove that its owner has the
 * e-mail address, so anyone could have created the account.
 */
async function takeOver(
  tx: Transaction,
  id: string,
  provider: NonNullable<Joining['provider']>,
): Promise<void> {
  const data = { ...provider, passwordHash: null, passwordExpiresAt: null };
  await tx.prisma.person.update({ where: { id }, data });
  await deleteSessions(tx, id);
  await deleteTokens(tx, id);
}

const lockUsableInvite = statement('lock-usable-invite', {
  takes: { inviteId: 'uuid' },
  gives: {},
  sql: ({ inviteId }) => `
    SELECT FROM invite WHERE id = ${inviteId} AND accepted_at IS NULL AND expires_at > now()
      AND EXISTS (SELECT FROM membership m
        WHERE m.company_id = invite.company_id AND m.user_id::text = invite.created_by_user_id
          AND m.role = 'owner')
    FOR UPDATE`,
});

async function assertNoMember(tx: Transaction, companyId: string, userId: string): Promise<void> {
  const where = { companyId_userId: { companyId, userId } };
  if (!(await tx.prisma.membership.findUnique({ where }))) return;
  throw conflict('conflict', 'this person is already a member of the company', { retry: false });
}
