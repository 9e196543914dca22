import { ask, type Database, select, statement } from '@switchyard/db';

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
