import { inTransaction } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import type { Call } from '../../call';
import { endInvite, lockOpenInvites } from './invites';

/** @throws ApiError 404 for one that was accepted, 409 in local trusted mode */
export async function revokeInvite(
  { db, actor }: Call,
  signIn: SignIn | null,
  inviteId: string,
): Promise<void> {
  requireSignIn(signIn);
  await inTransaction(db, async (tx) => {
    const [invite] = await lockOpenInvites(tx, [inviteId]);
    if (!invite) throw notFound('invite');
    await endInvite(tx, actor, invite, null);
  });
}
