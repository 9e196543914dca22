-- lock: new columns with constant defaults are catalogue changes and take milliseconds
ALTER TABLE reservation
  ADD COLUMN provider TEXT NOT NULL DEFAULT 'unknown',
  ADD COLUMN model TEXT NOT NULL DEFAULT 'unknown',
  ADD COLUMN cost_event_id UUID;
-- lock: settled reservations are deleted after an hour
CREATE INDEX reservation_expires_at_idx ON reservation (expires_at);
-- contract: the previous version finds the same rows by their company
DROP INDEX reservation_settled;

ALTER TABLE budget_pause ADD COLUMN wakes JSONB;

-- contract: the new constraint allows all that the previous version writes
ALTER TABLE cost_event DROP CONSTRAINT cost_event_source_check, ADD CONSTRAINT cost_event_source_check
  CHECK (source IN ('gateway', 'reservation', 'agent', 'board')) NOT VALID;

-- Moves the difference of changed events into the sums per day. The caller has locked the agent's months.
-- contract: a new function, which nothing calls yet
CREATE FUNCTION recount_cost_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cost_day AS d (company_id, day, agent_id, named, provider, model, cost_cents, input_tokens, output_tokens,
    unpriced_events, events)
  SELECT company_id, (created_at AT TIME ZONE 'UTC')::date, agent_id, md5(ROW(provider, model)::text)::uuid, provider, model,
    sum(sign * cost_cents), sum(sign * input_tokens), sum(sign * output_tokens), sum(sign * unpriced::int), sum(sign)
  FROM (SELECT 1 AS sign, * FROM after UNION ALL SELECT -1, * FROM before) changed
  GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4
  ON CONFLICT (company_id, day, agent_id, named) DO UPDATE SET
    cost_cents = d.cost_cents + excluded.cost_cents,
    input_tokens = d.input_tokens + excluded.input_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens,
    unpriced_events = d.unpriced_events + excluded.unpriced_events,
    events = d.events + excluded.events;
  INSERT INTO cost_scope_day AS d (company_id, scope, scope_id, day, agent_id, cost_cents)
  SELECT s.company_id, named.scope, named.id, (s.created_at AT TIME ZONE 'UTC')::date, s.agent_id, sum(s.sign * s.cost_cents)
  FROM (SELECT 1 AS sign, * FROM after UNION ALL SELECT -1, * FROM before) s
    LEFT JOIN heartbeat_run r ON r.id = s.run_id LEFT JOIN issue i ON i.id = s.issue_id
    LEFT JOIN routine_run f ON f.id = coalesce(r.routine_run_id, i.origin_routine_run_id)
    CROSS JOIN LATERAL (VALUES ('issue', s.issue_id), ('project', s.project_id), ('routine', f.routine_id)) named (scope, id)
  WHERE named.id IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(s.sign * s.cost_cents) <> 0 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (company_id, scope, scope_id, day, agent_id) DO UPDATE SET cost_cents = d.cost_cents + excluded.cost_cents;
  RETURN NULL;
END $$;

-- contract: the previous version never changes an event
CREATE TRIGGER cost_event_recounted AFTER UPDATE ON cost_event
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION recount_cost_events();
