import { inTransaction } from '@switchyard/db';
import type { MemberView, Role } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import { recordActivity } from '../activity/record-activity';
import { revokeInvitesOf } from './invites';
import { assertOwnerRemains, getMember, lockMembers } from './members';

/** Holds from the member's next request on; open invites of who is no owner any more end. @throws Refusal 409 for the last owner, or in local trusted mode */
export async function updateMember(
  signIn: SignIn | null,
  scope: Scope,
  memberId: string,
  role: Role,
): Promise<MemberView> {
  requireSignIn(signIn);
  const { companyId, actor } = scope;
  return inTransaction(scope.db, async (tx) => {
    await lockMembers(tx, companyId);
    const before = await getMember(tx, memberId);
    if (before.role === role) return before;
    await assertOwnerRemains(tx, before, role);
    await tx.membership.update({ where: { id: memberId }, data: { role } });
    if (before.role === 'owner') {
      const { userId } = before;
      await revokeInvitesOf(tx, actor, { companyId, userId }, 'role_changed');
    }
    await recordActivity(tx, {
      companyId,
      actor,
      action: 'member.updated',
      entityType: 'member',
      entityId: memberId,
      details: { userId: before.userId, from: before.role, to: role },
    });
    return getMember(tx, memberId);
  });
}
