import { Prisma } from '@switchyard/db';
import type { RoutineRunSource, RoutineRunStatus, RoutineRunView } from '@switchyard/types';

/** Larger ones are named by their size wherever the answer is not about this one run. */
const SHOWN_PAYLOAD_BYTES = 8_192;

export interface RoutineRunRow {
  id: string;
  routineId: string;
  triggerId: string | null;
  source: string;
  status: string;
  scheduledFor: Date | null;
  triggeredAt: Date;
  payload: unknown;
  idempotencyKey: string | null;
  linkedIssueId: string | null;
  activeRunId: string | null;
  heartbeatRunId: string | null;
  failureReason: string | null;
  completedAt: Date | null;
  createdAt: Date;
}

const WHOLE = 'payload';
const BRIEF = `CASE WHEN payload IS NULL OR octet_length(payload::text) <= ${SHOWN_PAYLOAD_BYTES} THEN payload
  ELSE jsonb_build_object('omitted', true, 'byteSize', octet_length(payload::text)) END AS payload`;

/** The columns of `routine_run run`; the heartbeat run is the one that its latest wake came to. */
export const runColumns = (payload: 'whole' | 'brief') =>
  Prisma.raw(`run.id, run.routine_id AS "routineId", run.trigger_id AS "triggerId", run.source,
    run.status, run.scheduled_for AS "scheduledFor", run.triggered_at AS "triggeredAt",
    ${payload === 'whole' ? WHOLE : BRIEF}, run.idempotency_key AS "idempotencyKey",
    run.linked_issue_id AS "linkedIssueId", run.active_run_id AS "activeRunId",
    (SELECT w.run_id FROM agent_wakeup w
      WHERE w.company_id = run.company_id AND w.routine_run_id = run.id AND w.run_id IS NOT NULL
      ORDER BY w.created_at DESC, w.id DESC LIMIT 1) AS "heartbeatRunId",
    run.failure_reason AS "failureReason", run.completed_at AS "completedAt",
    run.created_at AS "createdAt"`);

export function presentRoutineRun(row: RoutineRunRow): RoutineRunView {
  return {
    id: row.id,
    routineId: row.routineId,
    triggerId: row.triggerId,
    source: row.source as RoutineRunSource,
    status: row.status as RoutineRunStatus,
    scheduledFor: row.scheduledFor?.toISOString() ?? null,
    triggeredAt: row.triggeredAt.toISOString(),
    payload: row.payload as Record<string, unknown> | null,
    idempotencyKey: row.idempotencyKey,
    linkedIssueId: row.linkedIssueId,
    activeRunId: row.activeRunId,
    heartbeatRunId: row.heartbeatRunId,
    failureReason: row.failureReason,
    completedAt: row.completedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
