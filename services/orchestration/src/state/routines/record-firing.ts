import { announce, ask, newId, type RowOf, statement } from '@switchyard/db';
import type { RoutineRunSource, RoutineRunStatus, RoutineRunView } from '@switchyard/types';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import type { Tx } from '../../kernel/call';
import { hasTextRoomSql, textFull } from '../companies/text-quota';
import { ADMISSION, admissionSql, admissionValues, selectAdmitted } from '../runs/admission';
import { followAdmission } from '../runs/enqueue-run';
import { ADMITTED_WAKEUP, insertAdmittedSql, skipRefused } from '../wakeups/admit-wakeup';
import { recordWakeups } from '../wakeups/record-wakeups';
import { isOverHopCap, wakeHops } from '../wakeups/wake-hops';
import { type RoutineRunRow, RUN, selectRun } from './run-columns';
import { settleTrigger } from './settle-trigger';

export interface Firing {
  id: string;
  source: RoutineRunSource;
  triggerId: string | null;
  payload: Record<string, unknown> | null;
  delivery: RoutineRunView['delivery'];
  idempotencyKey: string | null;
}

export interface Outcome {
  status: Exclude<RoutineRunStatus, 'pending' | 'completed'>;
  linkedIssueId: string | null;
  activeRunId: string | null;
  failureReason: string | null;
}

export interface RoutineWake {
  reason: string;
  issueId: string;
  routineRunId: string;
  payload: Record<string, unknown>;
}

/**
 * Writes a firing with its outcome, updates its trigger and wakes the assignee in one statement. If
 * a schedule stored the firing in advance, updates that row. The caller holds the locks of routine
 * and agent.
 * @throws ApiError 409 `storage_full`
 */
export async function recordFiring(
  tx: Tx,
  routine: { id: string; assigneeAgentId: string },
  firing: Firing,
  outcome: Outcome,
  wake: RoutineWake | null,
): Promise<RoutineRunRow> {
  const { companyId } = tx;
  const textLimit = tx.context.config.companyTextBytes;
  const hops = wake ? await wakeHops(tx) : 0;
  const wakes = wake !== null && !isOverHopCap(tx, hops);
  const woken = {
    ...(wake ?? NO_WAKE),
    agentId: routine.assigneeAgentId,
    source: 'routine',
    hops,
  } as const;
  const { source: firedBy, ...fields } = firing;
  const wakeupId = newId();
  const [recorded] = await ask(tx, insertFiring, {
    ...admissionValues(woken),
    ...activityOf(tx),
    ...fields,
    ...outcome,
    firedBy,
    companyId,
    routineId: routine.id,
    details: detailsOf(firing, outcome),
    textLimit,
    wakes,
    wakeupId,
    wakeReason: woken.reason,
    wakePayload: woken.payload,
  });
  const { hasRoom, admittedId, adapterType, joins, outlivesPause, ...run } =
    recorded as RecordedFiring;
  if (!hasRoom) throw textFull(textLimit);
  announce(tx, companyId);
  if (admittedId) {
    const admitted = { id: admittedId, adapterType: adapterType ?? '', joins: joins === true };
    await followAdmission(tx, woken, { ...admitted, outlivesPause: outlivesPause === true });
  } else if (wakes) {
    await skipRefused(tx, { ...woken, id: wakeupId });
  } else if (wake) {
    await recordWakeups(tx, { ...wake, agentIds: [woken.agentId], source: 'routine' });
  }
  return wake?.routineRunId === run.id ? { ...run, heartbeatRunId: admittedId } : run;
}

const NO_WAKE = { reason: null, issueId: null, routineRunId: null, payload: null };

function detailsOf({ id: routineRunId, triggerId, source }: Firing, outcome: Outcome) {
  const { status, linkedIssueId: issueId, failureReason } = outcome;
  const details = { routineRunId, triggerId, source, status, issueId };
  return failureReason === null ? details : { ...details, failureReason };
}

type RecordedFiring = RowOf<typeof insertFiring>;

const insertFiring = statement('record-firing', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    routineId: 'uuid',
    triggerId: 'uuid?',
    firedBy: 'text',
    payload: 'json?',
    delivery: 'json?',
    idempotencyKey: 'text?',
    status: 'text',
    linkedIssueId: 'uuid?',
    activeRunId: 'uuid?',
    failureReason: 'text?',
    details: 'json',
    textLimit: 'bigint',
    ...ACTIVITY,
    wakes: 'bool',
    ...ADMISSION,
    ...ADMITTED_WAKEUP,
  },
  gives: {
    ...RUN,
    hasRoom: 'bool',
    admittedId: 'uuid?',
    adapterType: 'text?',
    joins: 'bool?',
    outlivesPause: 'bool?',
  },
  sql: (p) => `
    WITH run AS (
      INSERT INTO routine_run (id, company_id, routine_id, trigger_id, source, payload, delivery, idempotency_key,
        status, linked_issue_id, active_run_id, failure_reason, completed_at)
      VALUES (${p.id}, ${p.companyId}, ${p.routineId}, ${p.triggerId}, ${p.firedBy}, ${p.payload}, ${p.delivery},
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
    })}
    ), ${admissionSql(p, { whenFull: 'waits', when: p.wakes })}, woken AS (${insertAdmittedSql(p)}
    )
    SELECT ${selectRun('brief')},
      ${p.payload} IS NULL OR ${hasTextRoomSql(p, `octet_length(${p.payload}::text)`)} AS "hasRoom", admitted.id AS "admittedId", ${selectAdmitted}
    FROM run LEFT JOIN asked ON true LEFT JOIN admitted ON true`,
});
