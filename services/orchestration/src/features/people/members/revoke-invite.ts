import { notFound } from '@switchyard/server';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import { type Call, inTransaction } from '../../../call';
import { endInvite, lockOpenInvites } from './invites';

/** Ends an invite that nobody has accepted. @throws ApiError 404 for one that was accepted, 409 in local trusted mode */
export async function revokeInvite(call: Call, inviteId: string): Promise<void> {
  requireSignIn(call.context.signIn);
  await inTransaction(call, async (tx) => {
    const [invite] = await lockOpenInvites(tx, [inviteId]);
    if (!invite) throw notFound('invite');
    await endInvite(tx, invite, null);
  });
}
