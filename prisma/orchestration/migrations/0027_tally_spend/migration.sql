-- contract: a new function, which nothing calls yet
CREATE FUNCTION count_cost_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cost_scope_day AS d (company_id, scope, scope_id, day, agent_id, cost_cents)
  SELECT s.company_id, named.scope, named.id, (s.created_at AT TIME ZONE 'UTC')::date, s.agent_id, sum(s.cost_cents)
  FROM stored s LEFT JOIN heartbeat_run r ON r.id = s.run_id LEFT JOIN issue i ON i.id = s.issue_id
    LEFT JOIN routine_run f ON f.id = coalesce(r.routine_run_id, i.origin_routine_run_id)
    CROSS JOIN LATERAL (VALUES ('issue', s.issue_id), ('project', s.project_id), ('routine', f.routine_id)) named (scope, id)
  WHERE named.id IS NOT NULL AND s.cost_cents > 0
  GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (company_id, scope, scope_id, day, agent_id) DO UPDATE SET cost_cents = d.cost_cents + excluded.cost_cents;
  RETURN NULL;
END $$;

-- contract: a new function, which the previous version does not call
CREATE FUNCTION period_start(period TEXT) RETURNS DATE LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE period WHEN 'total' THEN '-infinity'::date ELSE date_trunc(period, now() AT TIME ZONE 'UTC')::date END
$$;

-- Cents that a scope has spent since a UTC day. Reads sums per month where the day begins a month, and events only for
-- a run that began before the day. A run includes its retries. One statement per scope and a generic plan: planning all
-- of them takes longer than reading the sums.
-- contract: a new function, which the previous version does not call
CREATE FUNCTION spent_since(of_company UUID, of_scope TEXT, of_id UUID, since DATE)
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
      SELECT id, created_at, cost_cents FROM heartbeat_run WHERE id = of_id AND company_id = of_company
      UNION ALL
      SELECT r.id, r.created_at, r.cost_cents FROM retried
        JOIN heartbeat_run r ON r.company_id = of_company AND r.retry_of_run_id = retried.id
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

-- contract: a new function, which the previous version does not call
CREATE FUNCTION caps_of(of_company UUID, of_agent UUID, of_issue UUID, of_routine_run UUID, of_run UUID)
RETURNS TABLE (code TEXT, scope TEXT, scope_id UUID, period TEXT, cents BIGINT, since DATE, spent BIGINT)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT FROM spend_cap WHERE company_id = of_company) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH RECURSIVE origin AS (
    SELECT id, retry_of_run_id FROM heartbeat_run WHERE id = of_run
    UNION ALL
    SELECT r.id, r.retry_of_run_id FROM heartbeat_run r JOIN origin ON r.id = origin.retry_of_run_id
  ), named AS (
    SELECT known.scope, known.id FROM (SELECT) one LEFT JOIN issue i ON i.id = of_issue
      LEFT JOIN routine_run f ON f.id = coalesce(of_routine_run, i.origin_routine_run_id)
      CROSS JOIN LATERAL (VALUES ('company', of_company), ('agent', of_agent), ('issue', i.id),
        ('project', i.project_id), ('routine', f.routine_id)) known (scope, id)
    UNION ALL SELECT 'run', id FROM origin
  )
  SELECT c.scope || '_cap', c.scope, c.scope_id, c.period, c.cents, bounds.since,
    spent_since(of_company, c.scope, c.scope_id, bounds.since)
  FROM named JOIN spend_cap c ON c.company_id = of_company AND c.scope = named.scope AND c.scope_id = named.id
    CROSS JOIN LATERAL (SELECT period_start(c.period) AS since) bounds;
END $$;

-- From here to the commit events wait, so each is counted once. The migration before has the locks on other tables: a
-- writer of an event holds some of them while it waits for this one.
-- contract: writes of the previous version continue and are counted
CREATE TRIGGER cost_event_scopes_counted AFTER INSERT ON cost_event
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION count_cost_scopes();

INSERT INTO cost_scope_day (company_id, scope, scope_id, day, agent_id, cost_cents)
SELECT e.company_id, named.scope, named.id, e.day, e.agent_id, sum(e.cost_cents)
FROM (
  SELECT company_id, agent_id, run_id, issue_id, project_id, (created_at AT TIME ZONE 'UTC')::date AS day,
    sum(cost_cents) AS cost_cents
  FROM cost_event WHERE cost_cents > 0 GROUP BY 1, 2, 3, 4, 5, 6
) e LEFT JOIN heartbeat_run r ON r.id = e.run_id LEFT JOIN issue i ON i.id = e.issue_id
  LEFT JOIN routine_run f ON f.id = coalesce(r.routine_run_id, i.origin_routine_run_id)
  CROSS JOIN LATERAL (VALUES ('issue', e.issue_id), ('project', e.project_id), ('routine', f.routine_id)) named (scope, id)
WHERE named.id IS NOT NULL GROUP BY 1, 2, 3, 4, 5;
