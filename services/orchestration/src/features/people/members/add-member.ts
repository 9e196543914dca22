import { newId, type Transaction } from '@switchyard/db';
import type { Role } from '@switchyard/types';
import type { Actor } from '../../../access/actor';
import { recordActivities } from '../../../state/activity';

/** @throws a unique violation (answered 409) for an existing member */
export async function addMember(
  tx: Transaction,
  by: Actor,
  member: { companyId: string; userId: string; role: Role },
) {
  const { companyId, userId, role } = member;
  const row = await tx.prisma.membership.create({
    data: { id: newId(), companyId, userId, role },
    include: { company: { select: { name: true } } },
  });
  await recordActivities(tx, [
    {
      companyId,
      actor: by,
      action: 'member.joined',
      entityType: 'member',
      entityId: row.id,
      details: { userId, role },
    },
  ]);
  return row;
}
