import { type Database, type InviteModel, inTransaction, newId, type Tx } from '@switchyard/db';
import { conflict, forbidden, notFound, parse } from '@switchyard/server';
import {
  type AcceptInviteBody,
  credentials,
  type MembershipView,
  newPerson,
  type Role,
  type UserView,
} from '@switchyard/types';
import type { BoardActor } from '../../access/actor';
import { addressOf } from '../../access/addresses';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import { hashToken } from '../../access/tokens';
import { addMember } from './add-member';
import { checkPassword } from './check-password';
import type { SignInCall } from './log-in';
import { presentMembership, presentUser } from './present-person';

/** Who joins: somebody with an account, or (with a hash) a person that is yet to be made. */
interface Joining {
  user: UserView & { email: string };
  passwordHash?: string;
}

type AcceptCall = SignInCall & { params: Record<string, string>; body: AcceptInviteBody };

async function openInvite(db: Database, tokenHash: Uint8Array<ArrayBuffer>): Promise<InviteModel> {
  const invite = await db.prisma.invite.findUnique({ where: { tokenHash } });
  if (!invite) throw notFound('invite');
  return invite;
}

/** The person of the session, unless the body names somebody else's address. */
async function signedInPerson(signIn: SignIn, call: AcceptCall): Promise<Joining | null> {
  const userId = await signIn.sessions.userOf(call.request);
  const person = userId && (await call.db.prisma.person.findUnique({ where: { id: userId } }));
  if (!person) return null;
  const { email } = call.body;
  return email === undefined || email === person.email ? { user: person } : null;
}

async function joiningPerson(signIn: SignIn, call: AcceptCall): Promise<Joining> {
  const given = parse(credentials, call.body);
  const { email } = given;
  if (await call.db.prisma.person.findUnique({ where: { email } })) {
    return { user: await checkPassword(signIn, call.db, call.request, given) };
  }
  const { name, password } = parse(newPerson, call.body);
  return {
    user: { id: newId(), email, name },
    passwordHash: await signIn.passwords.hash(password, {
      key: addressOf(call.request),
      isKnown: false,
    }),
  };
}

function assertFor(invite: InviteModel, email: string | undefined): void {
  if (invite.email === null || email === undefined || invite.email === email) return;
  throw forbidden('forbidden', 'the invite is for another e-mail address');
}

const used = () => conflict('conflict', 'the invite was used or has expired', { retry: false });

/** Takes the invite, once; the company first, which an archive may hold. */
async function takeInvite(tx: Tx, invite: InviteModel, joining: Joining): Promise<void> {
  const [company] = await tx.$queryRaw<{ status: string }[]>`
    SELECT status FROM company WHERE id = ${invite.companyId}::uuid FOR SHARE`;
  if (company?.status === 'archived') {
    throw conflict('company_archived', 'the company is archived', { retry: false });
  }
  const free = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM invite WHERE id = ${invite.id}::uuid AND accepted_at IS NULL AND expires_at > now()
    FOR UPDATE`;
  if (free.length === 0) throw used();
  const { user, passwordHash } = joining;
  if (passwordHash) await tx.person.create({ data: { ...user, passwordHash } });
  await tx.$executeRaw`
    UPDATE invite SET accepted_at = now(), accepted_by_user_id = ${user.id}::uuid
    WHERE id = ${invite.id}::uuid`;
}

async function assertNoMember(tx: Tx, companyId: string, userId: string): Promise<void> {
  const where = { companyId_userId: { companyId, userId } };
  if (!(await tx.membership.findUnique({ where }))) return;
  throw conflict('conflict', 'this person is a member already', { retry: false });
}

/**
 * Joins a company by a token: as who is signed in, with an account and its password, or with an account
 * that this makes (contract 17). Signs in.
 * @throws Refusal 400 naming what is missing, 401 wrong password, 403 the invite is somebody else's,
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
  const row = await inTransaction(call.db, async (tx) => {
    await takeInvite(tx, invite, joining);
    const by: BoardActor = { type: 'board', userId: user.id, roles: new Map() };
    const { companyId, role } = invite;
    await assertNoMember(tx, companyId, user.id);
    return addMember(tx, by, { companyId, userId: user.id, role: role as Role });
  });
  await signIn.throttle.succeeded(addressOf(call.request));
  if (!present) {
    await signIn.sessions.begin(call.request, user.id);
    signIn.knownBrowsers.remember(call.request, user.email);
  }
  return { user: presentUser(user), membership: presentMembership(row) };
}
