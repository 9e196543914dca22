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

const rowOf = (entry: ActivityEntry) => ({
  id: newId(),
  companyId: entry.companyId,
  ...actorColumns(entry.actor),
  runId: entry.runId ?? null,
  action: entry.action,
  entityType: entry.entityType,
  entityId: entry.entityId,
  details: (entry.details ?? {}) as Prisma.InputJsonObject,
});

/**
 * One row for each mutation, in the mutation's own transaction. Details carry no large texts. The
 * commit nudges the company's event streams, which read the rows themselves.
 */
export async function recordActivity(tx: Tx, entry: ActivityEntry): Promise<void> {
  await tx.activity.create({ data: rowOf(entry), select: { id: true } });
  announceAfterCommit(tx, entry.companyId);
}

/** The same for many mutations of one transaction, in one statement. */
export async function recordActivities(tx: Tx, entries: ActivityEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx.activity.createMany({ data: entries.map(rowOf) });
  for (const { companyId } of entries) announceAfterCommit(tx, companyId);
}
