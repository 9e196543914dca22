import { afterCommit, newId, type Tx } from '@switchyard/db';
import type { RunSource } from '@switchyard/types';
import type { Effects } from '../../context';

export interface RecordedWake {
  companyId: string;
  agentId: string;
  source: RunSource;
  issueId: string;
  commentId: string | null;
  /** As `wakeHops` says; the caller has kept the cap. */
  hops: number;
}

/**
 * Writes wakes down in the caller's transaction, so that they are true exactly when what caused them is;
 * a worker admits them after the commit (guarantees G1, G7). Takes no lock on the agents: the caller may
 * hold the lock of an issue, and agents are locked before issues.
 */
export async function recordWakeups(
  effects: Pick<Effects, 'hints'>,
  tx: Tx,
  wakes: readonly RecordedWake[],
): Promise<void> {
  if (wakes.length === 0) return;
  const rows = wakes.map((wake) => ({ ...wake, id: newId(), hintedAt: new Date() }));
  await tx.agentWakeup.createMany({ data: rows });
  afterCommit(tx, async () => {
    await Promise.all(
      rows.map((row) => effects.hints.hint('mention-wakeups', { wakeupId: row.id })),
    );
  });
}
