import { inTransaction } from '@switchyard/db';
import type { Scope } from '../../access/actor';
import { requireSignIn, type SignIn } from '../../access/sign-in';
import { recordActivity } from '../activity/record-activity';
import { assertOwnerRemains, getMember, lockMembers } from './members';

/** The account stays, and other memberships with it. @throws Refusal 409 for the last owner */
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
