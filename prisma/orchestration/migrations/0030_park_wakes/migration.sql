CREATE INDEX IF NOT EXISTS heartbeat_run_retried_by ON heartbeat_run (company_id, retried_by_run_id)
  WHERE retried_by_run_id IS NOT NULL;

-- contract: a new function, which the previous version does not call
CREATE FUNCTION continued_runs(of_run UUID) RETURNS SETOF UUID LANGUAGE sql STABLE AS $$
  WITH RECURSIVE continued AS (
    SELECT id, company_id, retry_of_run_id FROM heartbeat_run WHERE id = of_run
    UNION
    SELECT r.id, r.company_id, r.retry_of_run_id FROM continued JOIN heartbeat_run r
      ON r.company_id = continued.company_id
      AND (r.id = continued.retry_of_run_id OR r.retried_by_run_id = continued.id)
  )
  SELECT id FROM continued
$$;

-- contract: same name, arguments and result; also counts retries that joined a waiting run
CREATE OR REPLACE FUNCTION spent_since(of_company UUID, of_scope TEXT, of_id UUID, since DATE)
RETURNS BIGINT LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  is_month CONSTANT BOOLEAN := since = date_trunc('month', since::timestamp);
  since_time CONSTANT TIMESTAMPTZ := since::timestamp AT TIME ZONE 'UTC';
  spent NUMERIC;
BEGIN
  IF of_scope = 'agent' AND is_month THEN
    SELECT sum(cost_cents) INTO spent FROM agent_month WHERE agent_id = of_id AND month >= since;
  ELSIF of_scope = 'agent' THEN
    SELECT sum(d.cost_cents) INTO spent FROM generate_series(0, (now() AT TIME ZONE 'UTC')::date - since) n
      JOIN cost_day d ON d.company_id = of_company AND d.day = since + n AND d.agent_id = of_id;
  ELSIF of_scope = 'company' AND is_month THEN
    SELECT sum(cost_cents) INTO spent FROM agent_month WHERE company_id = of_company AND month >= since;
  ELSIF of_scope = 'company' THEN
    SELECT sum(cost_cents) INTO spent FROM cost_day WHERE company_id = of_company AND day >= since;
  ELSIF of_scope = 'run' THEN
    WITH RECURSIVE retried AS (
      SELECT id, created_at, cost_cents, retried_by_run_id FROM heartbeat_run WHERE id = of_id AND company_id = of_company
      UNION
      SELECT r.id, r.created_at, r.cost_cents, r.retried_by_run_id FROM retried JOIN heartbeat_run r
        ON r.company_id = of_company AND (r.retry_of_run_id = retried.id OR r.id = retried.retried_by_run_id)
    )
    SELECT sum(CASE WHEN created_at >= since_time THEN cost_cents ELSE (
      SELECT coalesce(sum(e.cost_cents), 0) FROM cost_event e
      WHERE e.company_id = of_company AND e.run_id = retried.id AND e.created_at >= since_time) END)
    INTO spent FROM retried;
  ELSE
    SELECT sum(cost_cents) INTO spent FROM cost_scope_day
    WHERE company_id = of_company AND scope = of_scope AND scope_id = of_id AND day >= since;
  END IF;
  RETURN coalesce(spent, 0);
END $$;

-- contract: same name, arguments and result
CREATE OR REPLACE FUNCTION caps_of(of_company UUID, of_agent UUID, of_issue UUID, of_routine_run UUID, of_run UUID)
RETURNS TABLE (code TEXT, scope TEXT, scope_id UUID, period TEXT, cents BIGINT, since DATE, spent BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM spend_cap WHERE company_id = of_company) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH named AS (
    SELECT known.scope, known.id FROM (SELECT) one LEFT JOIN issue i ON i.id = of_issue
      LEFT JOIN routine_run f ON f.id = coalesce(of_routine_run, i.origin_routine_run_id)
      CROSS JOIN LATERAL (VALUES ('company', of_company), ('agent', of_agent), ('issue', i.id),
        ('project', i.project_id), ('routine', f.routine_id)) known (scope, id)
    UNION ALL SELECT 'run', continued_runs(of_run)
  )
  SELECT c.scope || '_cap', c.scope, c.scope_id, c.period, c.cents, bounds.since,
    spent_since(of_company, c.scope, c.scope_id, bounds.since)
  FROM named JOIN spend_cap c ON c.company_id = of_company AND c.scope = named.scope AND c.scope_id = named.id
    CROSS JOIN LATERAL (SELECT period_start(c.period) AS since) bounds;
END $$;

-- The wakes of a run that must wait, because a cap of their work is spent. Reads each cap once for all wakes.
-- contract: a new function, which the previous version does not call
CREATE FUNCTION capped_wakes(of_run UUID) RETURNS TABLE (place BIGINT, code TEXT) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  run heartbeat_run;
BEGIN
  SELECT * INTO run FROM heartbeat_run WHERE id = of_run;
  IF NOT EXISTS (SELECT FROM spend_cap WHERE company_id = run.company_id) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH wake AS MATERIALIZED (
    SELECT w.place, w.value - 'payload' AS value, i.id AS issue_id, i.project_id, f.routine_id
    FROM jsonb_array_elements(run.wake_reasons) WITH ORDINALITY w (value, place)
      LEFT JOIN issue i ON i.company_id = run.company_id AND i.id = (w.value ->> 'issueId')::uuid
      LEFT JOIN routine_run f ON f.id = i.origin_routine_run_id
  ), capped_run AS MATERIALIZED (
    SELECT DISTINCT c.scope_id AS id FROM continued_runs(of_run) continued (id)
      JOIN spend_cap c ON c.company_id = run.company_id AND c.scope = 'run' AND c.scope_id = continued.id
  ), named AS MATERIALIZED (
    SELECT wake.place, known.scope, known.id FROM wake
      CROSS JOIN LATERAL (VALUES ('company', run.company_id), ('agent', run.agent_id), ('issue', wake.issue_id),
        ('project', wake.project_id), ('routine', wake.routine_id)) known (scope, id)
    WHERE known.id IS NOT NULL
    UNION ALL
    SELECT wake.place, 'run', r.id FROM capped_run JOIN heartbeat_run r ON r.id = capped_run.id
      CROSS JOIN LATERAL jsonb_array_elements(r.wake_reasons) known (value)
      JOIN wake ON wake.value = known.value - 'payload'
  ), spent AS MATERIALIZED (
    SELECT cap.scope, cap.scope_id, min(cap.cents - cap.spent) AS free FROM (
      SELECT c.scope, c.scope_id, c.cents,
        spent_since(run.company_id, c.scope, c.scope_id, period_start(c.period)) AS spent
      FROM (SELECT DISTINCT scope, id FROM named) of_wakes
        JOIN spend_cap c ON c.company_id = run.company_id AND c.scope = of_wakes.scope AND c.scope_id = of_wakes.id
      OFFSET 0
    ) cap WHERE cap.spent >= cap.cents GROUP BY 1, 2
  )
  SELECT DISTINCT ON (named.place) named.place, named.scope || '_cap'
  FROM named JOIN spent ON spent.scope = named.scope AND spent.scope_id = named.id
  ORDER BY named.place, spent.free, named.scope;
END $$;
