import { announceAfterCommit, newId, type Prisma, type Tx } from '@switchyard/db';
import { type Actor, actorColumns } from '../../access/actor';

export interface ActivityEntry {
  companyId: string;
  actor: Actor;
  runId?: string | null;
  /** `<entity>.<past participle>`, e.g. `issue.updated`. */
  action: string;
  entityType: string;
  entityId: string;
  details?: Record<string, unknown>;
}

/**
 * One row for each mutation, in the mutation's own transaction. Details carry no large texts. The
 * commit nudges the company's event streams, which read the rows themselves.
 */
export async function recordActivity(tx: Tx, entry: ActivityEntry): Promise<void> {
  await tx.activity.create({
    data: {
      id: newId(),
      companyId: entry.companyId,
      ...actorColumns(entry.actor),
      runId: entry.runId ?? null,
      action: entry.action,
      entityType: entry.entityType,
      entityId: entry.entityId,
      details: (entry.details ?? {}) as Prisma.InputJsonObject,
    },
    select: { id: true },
  });
  announceAfterCommit(tx, entry.companyId);
}
