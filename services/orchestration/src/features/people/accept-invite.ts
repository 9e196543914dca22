import {
  type Database,
  type InviteModel,
  newId,
  type PersonModel,
  type Transaction,
} from '@switchyard/db';
import { ApiError, conflict, forbidden, invalidField, parse } from '@switchyard/server';
import {
  type AcceptInviteBody,
  credentials,
  type MembershipView,
  newPerson,
  type Role,
  type UserView,
} from '@switchyard/types';
import { personActor } from '../../access/actor';
import { addressOf } from '../../access/addresses';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import { hashToken } from '../../access/tokens';
import { inTransaction } from '../../call';
import { addMember } from './add-member';
import { beginSession, type SignInCall } from './begin-session';
import { checkPassword } from './check-password';
import { presentMembership, presentUser } from './present-person';

/** Who joins: somebody with an account, or a person that is yet to be made. */
interface Joining {
  user: UserView & { email: string };
  passwordHash: string;
  isNew: boolean;
}

type AcceptCall = SignInCall & { params: Record<string, string>; body: AcceptInviteBody };

async function openInvite(db: Database, tokenHash: Uint8Array<ArrayBuffer>): Promise<InviteModel> {
  const invite = await db.prisma.invite.findUnique({ where: { tokenHash } });
  if (!invite) {
    throw new ApiError('not_found', 'there is no such invite: revoked, or its link is incomplete');
  }
  return invite;
}

const withAccount = (person: PersonModel): Joining => ({
  user: person,
  passwordHash: person.passwordHash,
  isNew: false,
});

/** The person of the session, unless the body names somebody else's address. */
async function signedInPerson(signIn: SignIn, call: AcceptCall): Promise<Joining | null> {
  const session = await signIn.sessions.current(call.request);
  if (!session) return null;
  const person = await call.db.prisma.person.findUnique({ where: { id: session.userId } });
  if (!person) return null;
  const { email } = call.body;
  return email === undefined || email === person.email ? withAccount(person) : null;
}

async function joiningPerson(signIn: SignIn, call: AcceptCall): Promise<Joining> {
  const given = parse(credentials, call.body);
  const { email } = given;
  if (await call.db.prisma.person.findUnique({ where: { email } })) {
    return withAccount(await checkPassword(signIn, call.db, call.request, given));
  }
  if (call.body.name === undefined) {
    throw invalidField('name', `is needed to make an account, which ${email} does not have yet`);
  }
  const { name, password } = parse(newPerson, call.body);
  return {
    user: { id: newId(), email, name },
    passwordHash: await signIn.passwords.hash(password, {
      key: addressOf(call.request),
      isKnown: false,
    }),
    isNew: true,
  };
}

function assertFor(invite: InviteModel, email: string | undefined): void {
  if (invite.email === null || email === undefined || invite.email === email) return;
  throw forbidden('forbidden', 'the invite is for another e-mail address');
}

const used = () =>
  conflict('conflict', 'the invite was used, has expired or was revoked', { retry: false });

/**
 * Takes the invite, once; the company first, which an archive or a change of its members may hold. It is
 * worth what its maker is: nothing, when that is no owner any more.
 */
async function takeInvite(tx: Transaction, invite: InviteModel, joining: Joining): Promise<void> {
  const [company] = await tx.prisma.$queryRaw<{ status: string }[]>`
    SELECT status FROM company WHERE id = ${invite.companyId}::uuid FOR SHARE`;
  if (company?.status === 'archived') {
    throw conflict('company_archived', 'the company is archived', { retry: false });
  }
  const free = await tx.prisma.$queryRaw<unknown[]>`
    SELECT 1 FROM invite WHERE id = ${invite.id}::uuid AND accepted_at IS NULL AND expires_at > now()
      AND EXISTS (SELECT 1 FROM membership m
        WHERE m.company_id = invite.company_id AND m.user_id::text = invite.created_by_user_id
          AND m.role = 'owner')
    FOR UPDATE`;
  if (free.length === 0) throw used();
  const { user, passwordHash, isNew } = joining;
  if (isNew) await tx.prisma.person.create({ data: { ...user, passwordHash } });
  await tx.prisma.$executeRaw`
    UPDATE invite SET accepted_at = now(), accepted_by_user_id = ${user.id}::uuid
    WHERE id = ${invite.id}::uuid`;
}

async function assertNoMember(tx: Transaction, companyId: string, userId: string): Promise<void> {
  const where = { companyId_userId: { companyId, userId } };
  if (!(await tx.prisma.membership.findUnique({ where }))) return;
  throw conflict('conflict', 'this person is a member already', { retry: false });
}

/**
 * Joins a company by a token: as who is signed in, with an account and its password, or with an account
 * that this makes. Signs in.
 * @throws ApiError 400 naming what is missing, 401 wrong password, 403 the invite is somebody else's,
 * 404 unknown token, 409 used, expired, a member already or company archived, 429
 */
export async function acceptInvite(
  maybe: SignIn | null,
  call: AcceptCall,
): Promise<{ user: UserView; membership: MembershipView }> {
  const signIn = requireSignIn(maybe);
  await signIn.throttle.attempt(addressOf(call.request));
  const invite = await openInvite(call.db, hashToken(call.params.token ?? ''));
  const present = await signedInPerson(signIn, call);
  assertFor(invite, present?.user.email ?? call.body.email);
  if (invite.acceptedAt) throw used();
  const joining = present ?? (await joiningPerson(signIn, call));
  const { user } = joining;
  const join = async (tx: Transaction) => {
    await takeInvite(tx, invite, joining);
    const { companyId, role } = invite;
    await assertNoMember(tx, companyId, user.id);
    return addMember(tx, personActor(user.id), { companyId, userId: user.id, role: role as Role });
  };
  const account = { id: user.id, passwordHash: joining.passwordHash };
  const row = present
    ? await inTransaction(call, join)
    : await beginSession(signIn, call, account, join);
  await signIn.throttle.succeeded(addressOf(call.request));
  if (!present) signIn.knownBrowsers.remember(call.request, user.email);
  return { user: presentUser(user), membership: presentMembership(row) };
}
