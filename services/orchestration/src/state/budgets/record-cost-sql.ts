import { INSERT_ACTIVITY } from '../../features/activity/activity-sql';
import { THIS_MONTH } from './month';

const COLUMNS = `id, company_id AS "companyId", agent_id AS "agentId", issue_id AS "issueId",
  project_id AS "projectId", goal_id AS "goalId", run_id AS "runId", provider, model,
  input_tokens::float8 AS "inputTokens", output_tokens::float8 AS "outputTokens",
  cost_cents::float8 AS "costCents", unpriced, occurred_at AS "occurredAt",
  created_at AS "createdAt", content_hash AS "contentHash"`;

/**
 * Event, counter of the agent's month, totals of the run and the record of the activity are one
 * statement, so the spend is the sum of its events (guarantee G18). It writes nothing when the month has
 * not begun, when the spend would reach what has to be looked at, or when the run is not the agent's or,
 * with an epoch, the claim is outdated. The row of the month decides, not the statement's snapshot, so
 * no two events can cross a threshold unseen together. The run is locked before the month.
 */
export const RECORD = `
  WITH run AS (
    SELECT id, issue_id FROM heartbeat_run
    WHERE id = $4::uuid AND company_id = $2::uuid AND agent_id = $3::uuid
      AND ($5::int IS NULL OR (epoch = $5::int AND status = 'running'))
    FOR NO KEY UPDATE
  ), month AS (
    UPDATE agent_month SET cost_cents = cost_cents + $12::bigint,
      input_tokens = input_tokens + $10::bigint, output_tokens = output_tokens + $11::bigint,
      unpriced_events = unpriced_events + $13::boolean::int
    WHERE agent_id = $3::uuid AND company_id = $2::uuid AND month = ${THIS_MONTH}
      AND cost_cents + $12::bigint < watch_at_cents
      AND ($4::uuid IS NULL OR EXISTS (SELECT 1 FROM run))
    RETURNING 1
  ), counted AS (
    UPDATE heartbeat_run SET cost_cents = cost_cents + $12::bigint,
      input_tokens = input_tokens + $10::bigint, output_tokens = output_tokens + $11::bigint,
      unpriced_events = unpriced_events + $13::boolean::int
    WHERE id = (SELECT id FROM run) AND EXISTS (SELECT 1 FROM month)
  ), event AS (
    INSERT INTO cost_event (id, company_id, agent_id, run_id, issue_id, project_id, goal_id,
      provider, model, input_tokens, output_tokens, cost_cents, unpriced, occurred_at,
      idempotency_key, content_hash)
    SELECT $1::uuid, $2::uuid, $3::uuid, $4::uuid, named.issue_id,
      coalesce($7::uuid, i.project_id), i.goal_id, $8, $9, $10::bigint, $11::bigint, $12::bigint,
      $13::boolean, coalesce($14::timestamptz, now()), $15, $16
    FROM month
    CROSS JOIN (SELECT coalesce($6::uuid, (SELECT issue_id FROM run)) AS issue_id) named
    LEFT JOIN issue i ON i.id = named.issue_id AND i.company_id = $2::uuid
    RETURNING *
  ), told AS (
    ${INSERT_ACTIVITY}
    SELECT $17::uuid, company_id, $18, $19, $20::uuid, 'cost_event.recorded', 'cost_event',
      id::text, jsonb_build_object('agentId', agent_id, 'costCents', cost_cents)
    FROM event WHERE $18::text IS NOT NULL
  )
  SELECT ${COLUMNS} FROM event`;

export const FIND_BY_KEY = `
  SELECT ${COLUMNS} FROM cost_event WHERE company_id = $1::uuid AND idempotency_key = $2`;
