-- What each agent spent on a day, by provider and model: reports add up these rows, not a week of events.
CREATE TABLE cost_day (
    company_id UUID NOT NULL,
    -- UTC, of the event's `created_at`.
    day DATE NOT NULL,
    agent_id UUID NOT NULL,
    -- Digest of provider and model, whose names may be longer than an index holds.
    named UUID NOT NULL,
    provider TEXT NOT NULL,
    model TEXT NOT NULL,
    cost_cents BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    unpriced_events BIGINT NOT NULL,
    events BIGINT NOT NULL,

    CONSTRAINT cost_day_pkey PRIMARY KEY (company_id, day, agent_id, named)
);

ALTER TABLE cost_day ADD CONSTRAINT cost_day_company_id_agent_id_fkey
  FOREIGN KEY (company_id, agent_id) REFERENCES agent(company_id, id) ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Counts events in the statement that stores them, whatever code stores them, so that the rows are always the sums of the
-- events. An agent's row of the month is locked before, so two events of one agent never wait for each other here, and
-- those of different agents touch different rows. The rows of one statement are locked in the order of their key.
-- contract: a new function, which nothing calls yet
CREATE FUNCTION count_cost_events() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO cost_day AS d (company_id, day, agent_id, named, provider, model, cost_cents, input_tokens, output_tokens,
    unpriced_events, events)
  SELECT company_id, (created_at AT TIME ZONE 'UTC')::date, agent_id, md5(ROW(provider, model)::text)::uuid, provider, model,
    sum(cost_cents), sum(input_tokens), sum(output_tokens), count(*) FILTER (WHERE unpriced), count(*)
  FROM stored GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4
  ON CONFLICT (company_id, day, agent_id, named) DO UPDATE SET
    cost_cents = d.cost_cents + excluded.cost_cents,
    input_tokens = d.input_tokens + excluded.input_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens,
    unpriced_events = d.unpriced_events + excluded.unpriced_events,
    events = d.events + excluded.events;
  RETURN NULL;
END $$;

-- From here to the commit events wait, so none is counted twice or not at all: about 2 s for a million of them.
-- contract: writes of the previous version go on, and are counted
CREATE TRIGGER cost_event_counted AFTER INSERT ON cost_event
  REFERENCING NEW TABLE AS stored FOR EACH STATEMENT EXECUTE FUNCTION count_cost_events();

INSERT INTO cost_day (company_id, day, agent_id, named, provider, model, cost_cents, input_tokens, output_tokens,
  unpriced_events, events)
SELECT company_id, (created_at AT TIME ZONE 'UTC')::date, agent_id, md5(ROW(provider, model)::text)::uuid, provider, model,
  sum(cost_cents), sum(input_tokens), sum(output_tokens), count(*) FILTER (WHERE unpriced), count(*)
FROM cost_event GROUP BY 1, 2, 3, 4, 5, 6;
