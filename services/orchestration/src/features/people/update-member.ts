import type { MemberView, Role } from '@switchyard/types';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import { type Call, inTransaction } from '../../call';
import { recordActivities } from '../../state/activity';
import { revokeInvitesOf } from './invites';
import { assertOwnerRemains, getMember, lockMembers } from './members';

/** Holds from the member's next request on; open invites of who is no owner any more end. @throws ApiError 409 for the last owner, or in local trusted mode */
export async function updateMember(
  call: Call,
  signIn: SignIn | null,
  memberId: string,
  role: Role,
): Promise<MemberView> {
  requireSignIn(signIn);
  const { companyId, actor } = call;
  return inTransaction(call, async (tx) => {
    await lockMembers(tx, companyId);
    const before = await getMember(tx, memberId);
    if (before.role === role) return before;
    await assertOwnerRemains(tx, before, role);
    await tx.prisma.membership.update({ where: { id: memberId }, data: { role } });
    if (before.role === 'owner') {
      const { userId } = before;
      await revokeInvitesOf(tx, actor, { companyId, userId }, 'role_changed');
    }
    await recordActivities(tx, [
      {
        companyId,
        actor,
        action: 'member.updated',
        entityType: 'member',
        entityId: memberId,
        details: { userId: before.userId, from: before.role, to: role },
      },
    ]);
    return getMember(tx, memberId);
  });
}
