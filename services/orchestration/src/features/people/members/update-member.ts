import type { MemberView, UpdateMemberBody } from '@switchyard/types';
import type { Request } from 'express';
import { assertRecentSignIn } from '../../../access/sign-in/recent-sign-in';
import { requireSignIn } from '../../../access/sign-in/sign-in';
import { type Call, inTransaction } from '../../../kernel/call';
import { lockCompany } from '../../../state/companies/lock-company';
import { revokeInvitesOf } from './invites';
import { assertOwnerRemains, getMember } from './members';

/**
 * Takes effect with the member's next request. Revokes open invites that a former owner created.
 * @throws ApiError 403 `recent_sign_in_required` for a new owner, 409 for the last owner, or in
 * local mode
 */
export async function updateMember(
  call: Call & { request: Request },
  memberId: string,
  { role }: UpdateMemberBody,
): Promise<MemberView> {
  requireSignIn(call.context);
  if (role === 'owner') await assertRecentSignIn(call);
  return inTransaction(call, async (tx) => {
    await lockCompany(tx, tx.companyId);
    const before = await getMember(tx, memberId);
    if (before.role === role) return before;
    await assertOwnerRemains(tx, before, role);
    await tx.prisma.membership.update({ where: { id: memberId }, data: { role } });
    if (before.role === 'owner') {
      await revokeInvitesOf(tx, { userId: before.userId }, 'role_changed');
    }
    const { userId, role: from } = before;
    await tx.record('member.updated', memberId, { userId, from, to: role });
    return getMember(tx, memberId);
  });
}
