import { requireSignIn } from '../../../access/sign-in/sign-in';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockCompany } from '../../../state/companies/lock-company';
import { unassignPerson } from '../../../state/issues/assigned-person';
import { revokeInvitesOf } from './invites';
import { assertOwnerRemains, getMember } from './members';

/**
 * Keeps the person's account. Revokes open invites that the member created or received, and
 * unassigns the member's open work.
 * @throws ApiError 409 for the last owner
 */
export async function removeMember(call: Call, memberId: string): Promise<void> {
  requireSignIn(call.context);
  await inTransaction(call, async (tx) => {
    await lockCompany(tx, tx.companyId);
    const member = await getMember(tx, memberId);
    await assertOwnerRemains(tx, member, null);
    const { userId, role } = member;
    await tx.prisma.membership.delete({ where: { id: memberId } });
    await unassignPerson(tx, userId);
    await revokeInvitesOf(tx, member, 'member_removed');
    await tx.record('member.removed', memberId, { userId, role });
  });
}
