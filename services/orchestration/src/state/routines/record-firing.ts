import { announce, ask, statement } from '@switchyard/db';
import type { RoutineRunSource, RoutineRunStatus, RoutineRunView } from '@switchyard/types';
import type { Tx } from '../../call';
import { ACTIVITY, activityOf, insertActivity } from '../activity';
import { type RoutineRunRow, RUN, selectRun } from './run-columns';
import { settleTrigger } from './settle-trigger';

export interface Firing {
  id: string;
  source: RoutineRunSource;
  triggerId: string | null;
  payload: Record<string, unknown> | null;
  /** The event, id and retry that a webhook's sender names beside the body. */
  delivery: RoutineRunView['delivery'];
  idempotencyKey: string | null;
}

/** What came of a firing. */
export interface Outcome {
  status: Exclude<RoutineRunStatus, 'pending' | 'completed'>;
  linkedIssueId: string | null;
  activeRunId: string | null;
  failureReason: string | null;
}

/** Writes a firing with its outcome, and settles its trigger; one that a due schedule has put down before is in its row. */
export async function recordFiring(
  tx: Tx,
  routineId: string,
  firing: Firing,
  outcome: Outcome,
): Promise<RoutineRunRow> {
  const { companyId } = tx;
  const { id: routineRunId, triggerId, source } = firing;
  const { status, linkedIssueId: issueId, failureReason } = outcome;
  const fired = { routineRunId, triggerId, source, status, issueId };
  const details = failureReason === null ? fired : { ...fired, failureReason };
  const values = { ...firing, ...outcome, ...activityOf(tx), companyId, routineId, details };
  const [run] = await ask(tx, insertFiring, values);
  announce(tx, companyId);
  return run as RoutineRunRow;
}

const insertFiring = statement('record-firing', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    routineId: 'uuid',
    triggerId: 'uuid?',
    source: 'text',
    payload: 'json?',
    delivery: 'json?',
    idempotencyKey: 'text?',
    status: 'text',
    linkedIssueId: 'uuid?',
    activeRunId: 'uuid?',
    failureReason: 'text?',
    details: 'json',
    ...ACTIVITY,
  },
  gives: RUN,
  sql: (p) => `
    WITH run AS (
      INSERT INTO routine_run (id, company_id, routine_id, trigger_id, source, payload, delivery, idempotency_key,
        status, linked_issue_id, active_run_id, failure_reason, completed_at)
      VALUES (${p.id}, ${p.companyId}, ${p.routineId}, ${p.triggerId}, ${p.source}, ${p.payload}, ${p.delivery},
        ${p.idempotencyKey}, ${p.status}, ${p.linkedIssueId}, ${p.activeRunId}, ${p.failureReason},
        CASE ${p.status} WHEN 'issue_created' THEN NULL ELSE clock_timestamp() END)
      ON CONFLICT (id) DO UPDATE SET status = excluded.status, linked_issue_id = excluded.linked_issue_id,
        active_run_id = excluded.active_run_id, failure_reason = excluded.failure_reason,
        completed_at = excluded.completed_at
      RETURNING *
    ), settled AS (${settleTrigger(p.triggerId, p.failureReason)}
    ), activity AS (${insertActivity(p, {
      action: 'routine.fired',
      from: 'run',
      companyId: 'company_id',
      entityId: 'routine_id',
      details: p.details,
    })})
    SELECT ${selectRun('brief')} FROM run`,
});
