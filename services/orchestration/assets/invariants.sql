-- Rows that contradict a guarantee, one query per invariant; no row means that it holds. Each query is true in every
-- snapshot, also while requests run. A worker runs this file each hour, and tests run it after faults.

SELECT 'running_runs_have_leases' AS violated, company_id, id FROM heartbeat_run
WHERE status = 'running' AND (lease_expires_at IS NULL OR started_at IS NULL OR epoch < 1);

SELECT 'queued_runs_are_unclaimed' AS violated, company_id, id FROM heartbeat_run
WHERE status = 'queued' AND (lease_expires_at IS NOT NULL OR started_at IS NOT NULL OR worker_id IS NOT NULL
  OR runner_instance IS NOT NULL OR epoch <> 0);

SELECT 'epochs_count_claims' AS violated, company_id, id
FROM heartbeat_run WHERE status = 'running' AND epoch < attempt;

SELECT 'queued_runs_have_wakes' AS violated, company_id, id FROM heartbeat_run
WHERE status = 'queued' AND jsonb_array_length(wake_reasons) = 0;

-- Ignores budget pauses of earlier months: the first wake of a month stores its run before it ends
-- such a pause.
SELECT 'halted_agents_have_no_queued_runs' AS violated, r.company_id, r.id
FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id JOIN company c ON c.id = r.company_id
WHERE r.status = 'queued' AND (c.status <> 'active' OR a.status IN ('terminated', 'pending_approval')
  OR a.status = 'paused' AND (a.pause_reason <> 'budget' OR a.paused_at >= date_trunc('month', now(), 'UTC')));

SELECT 'terminated_agents_stop' AS violated, r.company_id, r.id FROM heartbeat_run r JOIN agent a ON a.id = r.agent_id
WHERE r.status = 'running' AND a.status IN ('terminated', 'pending_approval') AND r.cancel_requested_at IS NULL;

SELECT 'agent_statuses_fit_runs' AS violated, a.company_id, a.id FROM agent a
WHERE a.status IN ('idle', 'running', 'error') AND (a.status = 'running')
  <> EXISTS (SELECT FROM heartbeat_run r WHERE r.agent_id = a.id AND r.status = 'running');

SELECT 'ended_runs_hold_no_issue' AS violated, i.company_id, i.id
FROM issue i JOIN heartbeat_run r ON r.id = i.checkout_run_id WHERE r.status <> 'running';

WITH month AS (
  SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS first
), summed AS (
  SELECT company_id, agent_id, sum(cost_cents) AS cost, sum(input_tokens) AS input, sum(output_tokens) AS output
  FROM cost_event WHERE created_at >= (SELECT first FROM month) AT TIME ZONE 'UTC' GROUP BY 1, 2
), counted AS (
  SELECT company_id, agent_id, cost_cents AS cost, input_tokens AS input, output_tokens AS output
  FROM agent_month WHERE agent_month.month = (SELECT first FROM month)
)
SELECT 'months_are_sums' AS violated, company_id, agent_id AS id
FROM summed FULL JOIN counted USING (company_id, agent_id)
WHERE (coalesce(summed.cost, 0), coalesce(summed.input, 0), coalesce(summed.output, 0))
  <> (coalesce(counted.cost, 0), coalesce(counted.input, 0), coalesce(counted.output, 0));

WITH month AS (
  SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS first
), summed AS (
  SELECT company_id, agent_id, (created_at AT TIME ZONE 'UTC')::date AS day, sum(cost_cents) AS cost, count(*) AS events
  FROM cost_event WHERE created_at >= (SELECT first FROM month) AT TIME ZONE 'UTC' GROUP BY 1, 2, 3
), counted AS (
  SELECT company_id, agent_id, day, sum(cost_cents) AS cost, sum(events) AS events
  FROM cost_day WHERE day >= (SELECT first FROM month) GROUP BY 1, 2, 3
)
SELECT DISTINCT 'days_are_sums' AS violated, company_id, agent_id AS id
FROM summed FULL JOIN counted USING (company_id, agent_id, day)
WHERE (coalesce(summed.cost, 0), coalesce(summed.events, 0)) <> (coalesce(counted.cost, 0), coalesce(counted.events, 0));

WITH month AS (
  SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date AS first
), summed AS (
  SELECT e.company_id, named.scope, named.id AS scope_id, (e.created_at AT TIME ZONE 'UTC')::date AS day, e.agent_id,
    sum(e.cost_cents) AS cost
  FROM cost_event e LEFT JOIN heartbeat_run r ON r.id = e.run_id LEFT JOIN issue i ON i.id = e.issue_id
    LEFT JOIN routine_run f ON f.id = coalesce(r.routine_run_id, i.origin_routine_run_id)
    CROSS JOIN LATERAL (VALUES ('issue', e.issue_id), ('project', e.project_id), ('routine', f.routine_id)) named (scope, id)
  WHERE e.created_at >= (SELECT first FROM month) AT TIME ZONE 'UTC' AND e.cost_cents > 0 AND named.id IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5
), counted AS (
  SELECT company_id, scope, scope_id, day, agent_id, cost_cents AS cost
  FROM cost_scope_day WHERE day >= (SELECT first FROM month)
)
SELECT DISTINCT 'scope_days_are_sums' AS violated, company_id, scope_id AS id
FROM summed FULL JOIN counted USING (company_id, scope, scope_id, day, agent_id)
WHERE coalesce(summed.cost, 0) <> coalesce(counted.cost, 0);

-- Checks only recent runs, because checking the runs of a year takes minutes.
SELECT 'runs_cost_their_events' AS violated, r.company_id, r.id FROM heartbeat_run r
WHERE (r.status = 'running' OR r.finished_at > now() - interval '2 hours') AND r.cost_cents <> (
  SELECT coalesce(sum(e.cost_cents), 0) FROM cost_event e WHERE e.company_id = r.company_id AND e.run_id = r.id);

SELECT 'spent_budgets_pause' AS violated, a.company_id, a.id FROM agent a JOIN agent_month m ON m.agent_id = a.id
WHERE m.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date AND a.status IN ('idle', 'running', 'error')
  AND a.budget_monthly_cents > 0 AND m.cost_cents >= a.budget_monthly_cents;

SELECT 'wakes_are_decided' AS violated, company_id, id FROM agent_wakeup
WHERE CASE status WHEN 'admitted' THEN run_id IS NULL WHEN 'skipped' THEN skip_reason IS NULL
  ELSE run_id IS NOT NULL OR skip_reason IS NOT NULL END;

SELECT 'callbacks_wait_for_open_work' AS violated, d.company_id, d.id FROM delivery d
  LEFT JOIN heartbeat_run r ON r.id = d.run_id
  LEFT JOIN issue i ON i.id = d.issue_id
  LEFT JOIN routine_run f ON f.id = d.routine_run_id
WHERE d.status = 'waiting' AND NOT coalesce(r.has_callback AND r.finished_at IS NULL, false)
  AND NOT coalesce(i.has_callback AND i.status NOT IN ('done', 'cancelled'), false)
  AND NOT coalesce(f.has_callback AND f.completed_at IS NULL, false);

SELECT 'deliveries_were_accepted' AS violated, company_id, id
FROM delivery WHERE status = 'delivered' AND coalesce(answer_status / 100, 0) <> 2;

SELECT 'firings_end_with_issues' AS violated, f.company_id, f.id
FROM routine_run f JOIN issue i ON i.id = f.linked_issue_id
WHERE f.status = 'issue_created' AND i.status IN ('done', 'cancelled');

SELECT 'firings_join_their_routine' AS violated, f.company_id, f.id
FROM routine_run f JOIN routine_run active ON active.id = f.active_run_id
WHERE active.routine_id <> f.routine_id;

-- A schedule that failed five times has no next time.
SELECT 'schedules_have_next_times' AS violated, t.company_id, t.id
FROM routine_trigger t JOIN routine r ON r.id = t.routine_id JOIN company c ON c.id = t.company_id
WHERE t.kind = 'schedule' AND t.enabled AND r.status = 'active' AND c.status <> 'archived'
  AND t.next_run_at IS NULL AND t.failure_reason IS NULL;

SELECT 'numbers_are_below_counters' AS violated, c.id AS company_id, c.id FROM company c
WHERE (SELECT max(i.issue_number) FROM issue i WHERE i.company_id = c.id)
  > coalesce((SELECT n.last_number FROM issue_counter n WHERE n.company_id = c.id), 0);

SELECT 'hires_fit_decisions' AS violated, p.company_id, p.id FROM approval p JOIN agent a ON a.id = p.hired_agent_id
WHERE p.status = 'approved' AND a.status = 'pending_approval' OR p.status = 'rejected' AND a.status <> 'terminated';

SELECT 'secrets_have_latest_versions' AS violated, s.company_id, s.id FROM secret s
WHERE NOT EXISTS (SELECT FROM secret_version v WHERE v.secret_id = s.id AND v.version = s.latest_version);

-- Columns without a foreign key.
SELECT 'references_stay_in_company' AS violated, r.company_id, r.id FROM heartbeat_run r
  LEFT JOIN routine_run f ON f.id = r.routine_run_id
  LEFT JOIN runner_instance n ON n.id = r.runner_instance
WHERE r.status IN ('queued', 'running')
  AND (f.company_id <> r.company_id OR n.company_id IS NOT NULL AND n.company_id <> r.company_id);
