import { ask, type Database, select, statement, type Transaction } from '@switchyard/db';

/** What wakes of one cause have in common. */
export const WAKE_CAUSE = {
  companyId: 'uuid',
  source: 'text',
  reason: 'text?',
  issueId: 'uuid?',
  commentId: 'uuid?',
  routineRunId: 'uuid?',
  payload: 'json?',
  hops: 'int',
  correlationId: 'text?',
  traceContext: 'text?',
} as const;

const WAKEUP = { id: 'uuid', agentId: 'uuid', createdAt: 'time', ...WAKE_CAUSE } as const;

/** A wake that waits to be processed; null when it was processed or skipped. */
export async function findPendingWakeup(db: Database, wakeupId: string) {
  const [pending] = await ask(db, findPending, { wakeupId });
  return pending ?? null;
}

const findPending = statement('find-pending-wakeup', {
  takes: { wakeupId: 'uuid' },
  gives: WAKEUP,
  sql: ({ wakeupId }) => `
    SELECT ${select(WAKEUP, 'w')} FROM agent_wakeup w
    WHERE w.id = ${wakeupId} AND w.status = 'pending'`,
});

/** The wake came to a run; the caller holds the agent's lock, as in all that follows. */
export async function admitWakeup(tx: Transaction, wakeupId: string, runId: string): Promise<void> {
  await ask(tx, admit, { wakeupId, runId });
}

const admit = statement('admit-wakeup', {
  takes: { wakeupId: 'uuid', runId: 'uuid' },
  gives: {},
  sql: ({ wakeupId, runId }) => `
    UPDATE agent_wakeup SET status = 'admitted', run_id = ${runId} WHERE id = ${wakeupId}`,
});

/** SQL: the same for the run in `made`, as a part of the statement that makes it. */
export function admitsWakeupSql(wakeupId: string, made: string): string {
  return `UPDATE agent_wakeup w SET status = 'admitted', run_id = ${made}.id FROM ${made}
    WHERE w.id = ${wakeupId}`;
}

export async function skipWakeup(tx: Transaction, wakeupId: string, reason: string): Promise<void> {
  await ask(tx, skip, { wakeupId, reason });
}

const skip = statement('skip-wakeup', {
  takes: { wakeupId: 'uuid', reason: 'text' },
  gives: {},
  sql: ({ wakeupId, reason }) => `
    UPDATE agent_wakeup SET status = 'skipped', skip_reason = ${reason} WHERE id = ${wakeupId}`,
});

/** What these agents were to be woken for comes to nothing. */
export async function skipWakeupsOf(
  tx: Transaction,
  agentIds: string[],
  reason: string,
): Promise<void> {
  await ask(tx, skipAll, { agentIds, reason });
}

const skipAll = statement('skip-wakeups', {
  takes: { agentIds: 'uuid[]', reason: 'text' },
  gives: {},
  sql: ({ agentIds, reason }) => `
    UPDATE agent_wakeup SET status = 'skipped', skip_reason = ${reason}
    WHERE agent_id = ANY (${agentIds}) AND status = 'pending'`,
});
