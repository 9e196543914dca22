import type { Transaction } from '@switchyard/db';
import type { Actor } from '../../access/actor';
import { recordActivities } from '../../state/activity';

export async function recordPerson(
  tx: Transaction,
  userId: string,
  by: Actor,
  action: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  const memberships = await tx.prisma.membership.findMany({
    where: { userId },
    select: { companyId: true },
  });
  const entry = { actor: by, action, entityType: 'person', entityId: userId, details };
  await recordActivities(
    tx,
    memberships.map(({ companyId }) => ({ ...entry, companyId })),
  );
}
