-- Tells by whom spend was counted, and keeps what an agent reports of itself beyond its budget out of the company's spend.
ALTER TABLE cost_event
  ADD COLUMN source TEXT NOT NULL DEFAULT 'agent',
  ADD COLUMN disputed_cents BIGINT NOT NULL DEFAULT 0;

ALTER TABLE cost_event
  ADD CONSTRAINT cost_event_source_check CHECK (source IN ('gateway', 'agent', 'board')) NOT VALID,
  ADD CONSTRAINT cost_event_disputed_check CHECK (disputed_cents >= 0 AND (disputed_cents = 0 OR source = 'agent')) NOT VALID;

-- Disputed events are few; reports add them up from here.
CREATE INDEX cost_event_disputed ON cost_event (company_id, created_at) INCLUDE (agent_id, disputed_cents)
  WHERE disputed_cents > 0;
