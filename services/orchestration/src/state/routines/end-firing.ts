import { ask, statement, type Transaction } from '@switchyard/db';
import { isOver } from '../statuses/issue-status';
import { recordTriggerFailure } from './settle-trigger';

export async function cancelFiring(tx: Transaction, id: string, reason: string): Promise<void> {
  await ask(tx, cancelPending, { id, reason });
}

const MAX_ATTEMPTS = 5;

export async function recordFailedAttempt(
  tx: Transaction,
  id: string,
  reason: string,
): Promise<void> {
  const [run] = await ask(tx, countAttempt, { id, reason });
  if (run?.status === 'failed' && run.triggerId) {
    await recordTriggerFailure(tx, run.triggerId, reason);
  }
}

export async function settleRoutineRun(
  tx: Transaction,
  issue: { originRoutineRunId: string | null; status: string },
): Promise<void> {
  const { originRoutineRunId: id, status } = issue;
  if (id === null || !isOver(status)) return;
  await ask(tx, endWithIssue, { id, status: status === 'done' ? 'completed' : 'cancelled' });
}

const cancelPending = statement('cancel-firing', {
  takes: { id: 'uuid', reason: 'text' },
  gives: {},
  sql: ({ id, reason }) => `
    UPDATE routine_run SET status = 'cancelled', failure_reason = ${reason},
      completed_at = clock_timestamp() WHERE id = ${id} AND status = 'pending'`,
});

const countAttempt = statement('count-firing-attempt', {
  takes: { id: 'uuid', reason: 'text' },
  gives: { status: 'text', triggerId: 'uuid?' },
  sql: ({ id, reason }) => `
    UPDATE routine_run SET attempts = attempts + 1,
      status = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS} THEN 'failed' ELSE status END,
      failure_reason = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS} THEN ${reason} END,
      completed_at = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS} THEN clock_timestamp() END
    WHERE id = ${id} AND status = 'pending' RETURNING status, trigger_id AS "triggerId"`,
});

const endWithIssue = statement('settle-routine-run', {
  takes: { id: 'uuid', status: 'text' },
  gives: {},
  sql: ({ id, status }) => `
    UPDATE routine_run SET status = ${status}, completed_at = clock_timestamp()
    WHERE id = ${id} AND status = 'issue_created'`,
});
