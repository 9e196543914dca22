-- All that the reports read of an event, and all that the list chooses by in its order, so that neither reads the table:
-- a report of a year may add up a million events. IF NOT EXISTS, so that it can be built before, concurrently.
CREATE INDEX IF NOT EXISTS "cost_event_reported" ON "cost_event"("company_id", "created_at", "id")
  INCLUDE ("agent_id", "issue_id", "project_id", "run_id", "provider", "model", "cost_cents", "input_tokens", "output_tokens", "unpriced");

-- The events of one issue; those of a run have an index.
CREATE INDEX IF NOT EXISTS "cost_event_of_issue" ON "cost_event"("company_id", "issue_id") WHERE "issue_id" IS NOT NULL;

-- contract: cost_event_reported begins with the same columns and has the others
DROP INDEX "cost_event_by_project";
