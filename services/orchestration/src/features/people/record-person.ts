import type { Transaction } from '@switchyard/db';
import { recordActivities } from '../../kernel/activity';
import type { Actor } from '../../kernel/actor';

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
