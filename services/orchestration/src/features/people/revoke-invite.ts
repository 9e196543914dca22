import { inTransaction } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { Scope } from '../../access/actor';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import { endInvite, lockOpenInvites } from './invites';

/** @throws Refusal 404 for one that was accepted, 409 in local trusted mode */
export async function revokeInvite(
  signIn: SignIn | null,
  { db, actor }: Scope,
  inviteId: string,
): Promise<void> {
  requireSignIn(signIn);
  await inTransaction(db, async (tx) => {
    const [invite] = await lockOpenInvites(tx, [inviteId]);
    if (!invite) throw notFound('invite');
    await endInvite(tx, actor, invite, null);
  });
}
