-- One statement per scope and a generic plan: planning all of them took longer than reading the sums (about 1 ms per cap).
-- contract: the result is the same
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
