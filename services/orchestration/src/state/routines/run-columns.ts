import { type FromColumns, select } from '@switchyard/db';

const STORED = {
  id: 'uuid',
  routineId: 'uuid',
  triggerId: 'uuid?',
  source: 'text',
  status: 'text',
  scheduledFor: 'time?',
  triggeredAt: 'time',
  idempotencyKey: 'text?',
  linkedIssueId: 'uuid?',
  failureReason: 'text?',
  completedAt: 'time?',
  createdAt: 'time',
} as const;

export const RUN = {
  ...STORED,
  activeRoutineRunId: 'uuid?',
  payload: 'json?',
  delivery: 'json?',
  heartbeatRunId: 'uuid?',
} as const;

export type RoutineRunRow = FromColumns<typeof RUN>;

/** Larger payloads are replaced by their size in bytes, except in the response for a single run. */
const SHOWN_PAYLOAD_BYTES = 8_192;

export const selectRun = (payload: 'whole' | 'brief') => `${select(STORED, 'run')},
  run.active_run_id AS "activeRoutineRunId",
  ${payload === 'whole' ? 'run.payload' : BRIEF} AS payload, run.delivery,
  (SELECT w.run_id FROM agent_wakeup w
    WHERE w.company_id = run.company_id AND w.routine_run_id = run.id AND w.run_id IS NOT NULL
    ORDER BY w.created_at DESC, w.id DESC LIMIT 1) AS "heartbeatRunId"`;

const BRIEF = `CASE WHEN run.payload IS NULL OR octet_length(run.payload::text) <= ${SHOWN_PAYLOAD_BYTES}
  THEN run.payload
  ELSE jsonb_build_object('omitted', true, 'byteSize', octet_length(run.payload::text)) END`;
