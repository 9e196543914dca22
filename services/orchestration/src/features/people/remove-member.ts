import { inTransaction } from '@switchyard/db';
import type { Scope } from '../../access/actor';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import { recordActivity } from '../activity/record-activity';
import { revokeInvitesOf } from './invites';
import { assertOwnerRemains, getMember, lockMembers } from './members';

/**
 * The account stays, and other memberships with it. Open invites that the member made, or that are for its
 * address, end: none of them lets it back in.
 * @throws Refusal 409 for the last owner
 */
export async function removeMember(
  signIn: SignIn | null,
  scope: Scope,
  memberId: string,
): Promise<void> {
  requireSignIn(signIn);
  const { companyId, actor } = scope;
  await inTransaction(scope.db, async (tx) => {
    await lockMembers(tx, companyId);
    const member = await getMember(tx, memberId);
    await assertOwnerRemains(tx, member, null);
    await tx.membership.delete({ where: { id: memberId } });
    await revokeInvitesOf(tx, actor, member, 'member_removed');
    await recordActivity(tx, {
      companyId,
      actor,
      action: 'member.removed',
      entityType: 'member',
      entityId: memberId,
      details: { userId: member.userId, role: member.role },
    });
  });
}
