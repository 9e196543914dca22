-- All that the reports read of an event, in the order of the list, so that neither reads the table: a report of 366 days
-- adds up to a million events. IF NOT EXISTS, so that it can be built before, concurrently.
CREATE INDEX IF NOT EXISTS "cost_event_reported" ON "cost_event"("company_id", "created_at", "id")
  INCLUDE ("agent_id", "issue_id", "project_id", "run_id", "provider", "model", "cost_cents", "input_tokens", "output_tokens", "unpriced");

-- The events of one issue and of one run, newest first.
CREATE INDEX IF NOT EXISTS "cost_event_of_issue" ON "cost_event"("company_id", "issue_id", "created_at", "id") WHERE "issue_id" IS NOT NULL;
CREATE INDEX IF NOT EXISTS "cost_event_of_run" ON "cost_event"("company_id", "run_id", "created_at", "id") WHERE "run_id" IS NOT NULL;

-- contract: cost_event_reported begins with the same columns and has the others
DROP INDEX "cost_event_by_project";
-- contract: cost_event_of_run has the same rows and order
DROP INDEX "cost_event_company_id_run_id_idx";
