-- Screens of the console with their filters, under a name. A person is a member or `local-board`, so no foreign key says
-- which.
CREATE TABLE "saved_view" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "screen" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_view_pkey" PRIMARY KEY ("id")
);

-- One name for one screen of a person, whatever its case.
CREATE UNIQUE INDEX "saved_view_of_person" ON "saved_view"("company_id", "user_id", "screen", lower("name"));
CREATE INDEX "saved_view_company_id_created_at_id_idx" ON "saved_view"("company_id", "created_at", "id");

ALTER TABLE "saved_view" ADD CONSTRAINT "saved_view_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- When output arrived; null for what is older than this migration. The default comes after the column, so that no stored
-- row is written.
ALTER TABLE "run_log_chunk" ADD COLUMN "written_at" TIMESTAMPTZ(3);
ALTER TABLE "run_log_chunk" ALTER COLUMN "written_at" SET DEFAULT CURRENT_TIMESTAMP;

-- Runs that failed are counted by the reason too, in the same tallies and by the same day. Counted anew, a million of them
-- took a second at each look at the overview.
-- contract: adds rows that the release before folds and never reads
CREATE FUNCTION "record_run_failure"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status IN ('failed', 'timed_out') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (OLD.company_id, 'run_failure', (OLD.created_at AT TIME ZONE 'UTC')::date, coalesce(OLD.error_code, 'unknown'), -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status IN ('failed', 'timed_out') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (NEW.company_id, 'run_failure', (NEW.created_at AT TIME ZONE 'UTC')::date, coalesce(NEW.error_code, 'unknown'), 1);
  END IF;
  RETURN NULL;
END $$;

-- contract: adds rows that the release before folds and never reads
CREATE TRIGGER "failed_run_is_tallied" AFTER INSERT ON "heartbeat_run"
  FOR EACH ROW WHEN (NEW.status IN ('failed', 'timed_out')) EXECUTE FUNCTION "record_run_failure"();

-- contract: adds rows that the release before folds and never reads
CREATE TRIGGER "run_failure_is_tallied" AFTER UPDATE OF "status" ON "heartbeat_run"
  FOR EACH ROW WHEN (OLD.status <> NEW.status
    AND (OLD.status IN ('failed', 'timed_out') OR NEW.status IN ('failed', 'timed_out')))
  EXECUTE FUNCTION "record_run_failure"();

-- contract: adds rows that the release before folds and never reads
CREATE TRIGGER "deleted_failure_is_tallied" AFTER DELETE ON "heartbeat_run"
  FOR EACH ROW WHEN (OLD.status IN ('failed', 'timed_out')) EXECUTE FUNCTION "record_run_failure"();

-- The triggers' locks let nobody write between the count and the commit.
INSERT INTO "status_tally" ("company_id", "counted", "day", "status", "n")
  SELECT company_id, 'run_failure', (created_at AT TIME ZONE 'UTC')::date AS day, coalesce(error_code, 'unknown'), count(*)
  FROM "heartbeat_run"
  WHERE status IN ('failed', 'timed_out') AND created_at > now() - interval '30 days'
  GROUP BY company_id, day, coalesce(error_code, 'unknown');

-- The last run that failed for a reason.
-- Before the release, where many runs are stored: CREATE INDEX CONCURRENTLY under the same name.
CREATE INDEX IF NOT EXISTS "heartbeat_run_failed" ON "heartbeat_run"("company_id", coalesce("error_code", 'unknown'), "created_at", "id")
  WHERE "status" IN ('failed', 'timed_out');

-- Which run tries the same again; few of all runs.
-- Before the release, where many runs are stored: CREATE INDEX CONCURRENTLY under the same name.
CREATE INDEX IF NOT EXISTS "heartbeat_run_retry" ON "heartbeat_run"("company_id", "retry_of_run_id") WHERE "retry_of_run_id" IS NOT NULL;
