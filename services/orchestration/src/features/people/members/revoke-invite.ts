import { notFound } from '@switchyard/server';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import { type Call, inTransaction } from '../../../kernel/call';
import { endInvite, lockOpenInvites } from './invites';

export async function revokeInvite(call: Call, inviteId: string): Promise<void> {
  requireSignIn(call.context);
  await inTransaction(call, async (tx) => {
    const [invite] = await lockOpenInvites(tx, [inviteId]);
    if (!invite) throw notFound('invite');
    await endInvite(tx, invite, null);
  });
}
