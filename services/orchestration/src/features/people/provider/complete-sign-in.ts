import { type InviteModel, newId, type PersonModel, uniqueViolation } from '@switchyard/db';
import { addressOf, conflict, errorFields, forbidden, unauthenticated } from '@switchyard/server';
import { type ProviderPerson, requireProvider } from '../../../access/sign-in/provider';
import { requireSignIn, type SignIn } from '../../../access/sign-in/sign-in';
import { personActor } from '../../../kernel/actor';
import { inTransaction } from '../../../kernel/call';
import {
  assertFor,
  type Joining,
  joinCompany,
  openInvite,
  withAccount,
} from '../members/accept-invite';
import { recordPerson } from '../record-person';
import { beginSession, type SigningIn } from '../sessions/begin-session';
import type { SignInCall } from '../sessions/sign-in-call';
import type { Flow } from './flow';

/**
 * Completes the sign-in that this browser has begun as `flow`. The provider's subject identifies
 * the account; an e-mail address identifies an account only together with an invite.
 * @returns the path of the next page
 * @throws ApiError 401 if the sign-in failed at the provider, 403 if the identity has no account,
 * 404 or 409 for a revoked, used or expired invite, 409 if the account is linked already
 */
export async function completeProviderSignIn(
  call: SignInCall,
  flow: Flow | null,
  callback: URL,
): Promise<string> {
  const signIn = requireSignIn(call.context);
  if (!flow) throw unauthenticated('the sign-in has expired: begin it again');
  const person = await redeem(signIn, call, callback, flow);
  const account = await findAccount(call, person);
  if (flow.linkTo) await link(signIn, call, flow.linkTo, person, account);
  else if (flow.invite) await join(signIn, call, flow.invite, person, account);
  else if (account) await beginSession(signIn, call, signingIn(account, person), async () => {});
  else throw noAccount();
  const address = addressOf(call.request);
  signIn.logger.info('a person signed in at the identity provider', { address });
  return flow.next;
}

async function redeem(
  { logger }: SignIn,
  { context, request }: SignInCall,
  callback: URL,
  flow: Flow,
): Promise<ProviderPerson> {
  try {
    return await requireProvider(context).redeem(callback, flow);
  } catch (error) {
    const fields = { address: addressOf(request), ...errorFields(error) };
    logger.info('a sign-in at the identity provider failed', fields);
    throw unauthenticated('the sign-in at the identity provider failed: try again');
  }
}

const columnsOf = ({ issuer, subject }: ProviderPerson) => ({
  providerIssuer: issuer,
  providerSubject: subject,
});

const findAccount = ({ db }: SignInCall, person: ProviderPerson): Promise<PersonModel | null> =>
  db.prisma.person.findUnique({
    where: { providerIssuer_providerSubject: columnsOf(person) },
  });

const signingIn = (
  { id, passwordHash }: Pick<PersonModel, 'id' | 'passwordHash'>,
  { session, authenticatedAt }: ProviderPerson,
): SigningIn => ({ id, passwordHash, providerSession: session, authenticatedAt });

const noAccount = () =>
  forbidden('forbidden', 'no account belongs to this sign-in: ask an owner for an invite');

async function link(
  signIn: SignIn,
  call: SignInCall,
  userId: string,
  person: ProviderPerson,
  account: PersonModel | null,
): Promise<void> {
  const session = await signIn.sessions.current(call.request);
  if (session?.userId !== userId) throw unauthenticated('sign in first');
  if (account?.id === userId) return;
  if (account) throw linked();
  await inTransaction(call, async (tx) => {
    await tx.prisma.person.update({ where: { id: userId }, data: columnsOf(person) });
    await recordPerson(tx, userId, personActor(userId), 'person.provider_linked');
  }).catch(explain);
}

const linked = () =>
  conflict(
    'conflict',
    'this account of the identity provider is already linked to another account',
    {
      retry: false,
    },
  );

function explain(error: unknown): never {
  throw uniqueViolation(error) === null ? error : linked();
}

async function join(
  signIn: SignIn,
  call: SignInCall,
  token: string,
  person: ProviderPerson,
  account: PersonModel | null,
): Promise<void> {
  const invite = await openInvite(call.db, token);
  const joining = account ? withAccount(account) : await joiningPerson(call, invite, person);
  assertFor(invite, joining.user.email);
  const { user, passwordHash } = joining;
  const entering = signingIn({ id: user.id, passwordHash }, person);
  await beginSession(signIn, call, entering, (tx) => joinCompany(tx, invite, joining)).catch(
    explain,
  );
}

/** The invite is the permission to link an existing account that has the verified address. */
async function joiningPerson(
  { db }: SignInCall,
  invite: InviteModel,
  person: ProviderPerson,
): Promise<Joining> {
  const { email, name } = person;
  if (email === null) {
    throw forbidden(
      'forbidden',
      'an invite requires an e-mail address that the identity provider has verified',
    );
  }
  assertFor(invite, email);
  const existing = await db.prisma.person.findUnique({ where: { email } });
  if (existing?.providerSubject) throw linked();
  const provider = columnsOf(person);
  if (existing) return { ...withAccount(existing), passwordHash: null, provider };
  const user = { id: newId(), email, name: name ?? email };
  return { user, passwordHash: null, isNew: true, provider };
}
