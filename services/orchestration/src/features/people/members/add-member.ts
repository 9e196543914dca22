import { newId, type Transaction } from '@switchyard/db';
import type { Role } from '@switchyard/types';
import { recordActivities } from '../../../kernel/activity';
import type { Actor } from '../../../kernel/actor';

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
