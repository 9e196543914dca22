-- How many issues of a company have each status, and how many of its ended runs, by the UTC day of their creation. The
-- dashboard counted them anew at each look: 169 ms at a million of each.
CREATE TABLE "status_tally" (
    "company_id" UUID NOT NULL,
    "counted" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "status_tally_pkey" PRIMARY KEY ("company_id", "counted", "day", "status")
);

-- What is yet to be added to it. Writers only insert here: of two that changed one tally, the second would wait for the
-- first one's commit, and two that changed two of them could wait for each other. A sweep folds these rows.
CREATE TABLE "status_change" (
    "company_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "counted" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "status" TEXT NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "status_change_pkey" PRIMARY KEY ("company_id", "id")
);

ALTER TABLE "status_tally" ADD CONSTRAINT "status_tally_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Triggers, because a process of the release before changes statuses too, and knows no tally. One for each row: its
-- condition is looked at without a call, and most updates do not meet it. No writer sees a difference but the time.
-- contract: adds rows to a table that the release before does not know
CREATE FUNCTION "record_issue_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (OLD.company_id, 'issue', '-infinity', OLD.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (NEW.company_id, 'issue', '-infinity', NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;

-- Runs that wait or run are few, and are counted where they are.
-- contract: adds rows to a table that the release before does not know
CREATE FUNCTION "record_run_status"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.status NOT IN ('queued', 'running') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (OLD.company_id, 'heartbeat_run', (OLD.created_at AT TIME ZONE 'UTC')::date, OLD.status, -1);
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.status NOT IN ('queued', 'running') THEN
    INSERT INTO status_change (company_id, counted, day, status, n)
    VALUES (NEW.company_id, 'heartbeat_run', (NEW.created_at AT TIME ZONE 'UTC')::date, NEW.status, 1);
  END IF;
  RETURN NULL;
END $$;

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "issue_is_tallied" AFTER INSERT OR DELETE ON "issue"
  FOR EACH ROW EXECUTE FUNCTION "record_issue_status"();

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "issue_status_is_tallied" AFTER UPDATE OF "status" ON "issue"
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION "record_issue_status"();

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "ended_run_is_tallied" AFTER INSERT ON "heartbeat_run"
  FOR EACH ROW WHEN (NEW.status NOT IN ('queued', 'running')) EXECUTE FUNCTION "record_run_status"();

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "run_end_is_tallied" AFTER UPDATE OF "status" ON "heartbeat_run"
  FOR EACH ROW WHEN (OLD.status <> NEW.status
    AND (OLD.status NOT IN ('queued', 'running') OR NEW.status NOT IN ('queued', 'running')))
  EXECUTE FUNCTION "record_run_status"();

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "deleted_run_is_tallied" AFTER DELETE ON "heartbeat_run"
  FOR EACH ROW WHEN (OLD.status NOT IN ('queued', 'running')) EXECUTE FUNCTION "record_run_status"();

-- The triggers' locks let nobody write between the count and the commit. Days that nobody is shown any more stay out.
INSERT INTO "status_tally" ("company_id", "counted", "day", "status", "n")
  SELECT company_id, 'issue', '-infinity', status, count(*) FROM "issue" GROUP BY company_id, status;
INSERT INTO "status_tally" ("company_id", "counted", "day", "status", "n")
  SELECT company_id, 'heartbeat_run', (created_at AT TIME ZONE 'UTC')::date AS day, status, count(*)
  FROM "heartbeat_run"
  WHERE status NOT IN ('queued', 'running') AND created_at > now() - interval '30 days'
  GROUP BY company_id, day, status;
