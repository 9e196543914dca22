import { requireSignIn, type SignIn } from '../../access/sign-in';
import { type Call, inTransaction } from '../../call';
import { recordActivities } from '../../state/activity';
import { revokeInvitesOf } from './invites';
import { assertOwnerRemains, getMember, lockMembers } from './members';

/**
 * The account stays, and other memberships with it. Open invites that the member made, or that are for its
 * address, end: none of them lets it back in.
 * @throws ApiError 409 for the last owner
 */
export async function removeMember(
  call: Call,
  signIn: SignIn | null,
  memberId: string,
): Promise<void> {
  requireSignIn(signIn);
  const { companyId, actor } = call;
  await inTransaction(call, async (tx) => {
    await lockMembers(tx, companyId);
    const member = await getMember(tx, memberId);
    await assertOwnerRemains(tx, member, null);
    await tx.prisma.membership.delete({ where: { id: memberId } });
    await revokeInvitesOf(tx, actor, member, 'member_removed');
    await recordActivities(tx, [
      {
        companyId,
        actor,
        action: 'member.removed',
        entityType: 'member',
        entityId: memberId,
        details: { userId: member.userId, role: member.role },
      },
    ]);
  });
}
