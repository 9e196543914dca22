-- Which run serves the wakes of this one again, so that of many callers that retry it one does.
ALTER TABLE "heartbeat_run" ADD COLUMN "retried_by_run_id" UUID;

-- Runs are listed, cancelled and retried by what woke them and by how they failed.
-- Before the release, where many runs are stored: CREATE INDEX CONCURRENTLY under the same names.
CREATE INDEX IF NOT EXISTS "heartbeat_run_company_id_source_created_at_id_idx" ON "heartbeat_run"("company_id", "source", "created_at", "id");

CREATE INDEX IF NOT EXISTS "heartbeat_run_of_error" ON "heartbeat_run"("company_id", "error_code", "created_at", "id")
  WHERE "error_code" IS NOT NULL;
