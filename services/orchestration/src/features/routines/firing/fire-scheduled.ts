import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import { errorFields } from '@switchyard/server';
import { type Call, inTransaction, systemCall } from '../../../kernel/call';
import type { Context } from '../../../kernel/context';
import { withJobContext } from '../../../kernel/with-job-context';
import { cancelFiring, recordFailedAttempt } from '../../../state/routines/end-firing';
import { lockForFiring } from '../../../state/routines/lock-for-firing';
import { fireRun } from './fire-run';

/**
 * The `routine-firings` job. Duplicate and late hints are harmless; an error does not affect other
 * firings.
 */
export async function fireScheduled(context: Context, routineRunId: string): Promise<void> {
  const due = await findPending(context.db, routineRunId);
  if (!due) return;
  await withJobContext('routine-firings', due, async () => {
    const call = systemCall(context, due.companyId);
    try {
      await fire(call, due);
    } catch (error) {
      await noteFailure(call, routineRunId, error);
    }
  });
}

async function findPending(db: Database, id: string): Promise<Pending | null> {
  const [due] = await ask(db, pendingFiring, { id });
  return due ?? null;
}

const pendingFiring = statement('pending-firing', {
  takes: { id: 'uuid' },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    routineId: 'uuid',
    triggerId: 'uuid?',
    scheduledFor: 'time?',
  },
  sql: ({ id }) => `
    SELECT id, company_id AS "companyId", routine_id AS "routineId", trigger_id AS "triggerId",
      scheduled_for AS "scheduledFor"
    FROM routine_run WHERE id = ${id} AND status = 'pending'`,
});

type Pending = RowOf<typeof pendingFiring>;

async function fire(call: Call, { id, routineId, triggerId, scheduledFor }: Pending) {
  await inTransaction(call, async (tx) => {
    const routine = await lockForFiring(tx, routineId, { triggerId, runId: id });
    if (!routine.isPending) return;
    if (routine.notFiring !== null) return cancelFiring(tx, id, routine.notFiring);
    const firing = { id, triggerId, payload: null, delivery: null, idempotencyKey: null };
    await fireRun(tx, routine, { ...firing, source: 'schedule' });
    tx.afterCommit(() => observeLag(call.context, scheduledFor));
  });
}

function observeLag({ metrics, clock }: Context, scheduledFor: string | null): void {
  if (scheduledFor === null) return;
  metrics.fireLag.observe(Math.max(0, clock.now().getTime() - Date.parse(scheduledFor)) / 1000);
}

async function noteFailure(call: Call, runId: string, error: unknown): Promise<void> {
  const { logger } = call.context;
  logger.warn('a scheduled routine could not be started', {
    routineRunId: runId,
    ...errorFields(error),
  });
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
  await inTransaction(call, (tx) => recordFailedAttempt(tx, runId, reason));
}
