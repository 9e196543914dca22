-- Events that were stored before it was recorded who counted them: they were labelled `agent` without knowing it.
ALTER TABLE cost_event ALTER COLUMN source SET DEFAULT 'unknown';

-- contract: the new constraint allows all that this one allows
ALTER TABLE cost_event DROP CONSTRAINT cost_event_source_check;
-- contract: it allows all that the previous version writes
ALTER TABLE cost_event
  ADD CONSTRAINT cost_event_source_check CHECK (source IN ('gateway', 'agent', 'board', 'unknown')) NOT VALID;

UPDATE cost_event SET source = 'unknown'
WHERE source = 'agent'
  AND created_at < (SELECT finished_at FROM _prisma_migrations WHERE migration_name = '0006_dispute_costs');
