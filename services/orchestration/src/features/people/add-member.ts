import { newId, type Tx } from '@switchyard/db';
import type { Role } from '@switchyard/types';
import type { Actor } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';

/** One membership and its record. @throws a unique violation (answered 409) for who is a member already */
export async function addMember(
  tx: Tx,
  by: Actor,
  member: { companyId: string; userId: string; role: Role },
) {
  const { companyId, userId, role } = member;
  const row = await tx.membership.create({
    data: { id: newId(), companyId, userId, role },
    include: { company: { select: { name: true } } },
  });
  await recordActivity(tx, {
    companyId,
    actor: by,
    action: 'member.joined',
    entityType: 'member',
    entityId: row.id,
    details: { userId, role },
  });
  return row;
}
