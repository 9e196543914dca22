-- How many issues of each project, goal and assignee have each status. A list that counted them anew read every issue of
-- the company.
CREATE TABLE "issue_tally" (
    "company_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "issue_tally_pkey" PRIMARY KEY ("company_id", "owner_id", "status")
);

-- What is yet to be added to it. Writers only insert here, as in "status_change", and a sweep folds these rows.
CREATE TABLE "issue_tally_change" (
    "company_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "status" TEXT NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "issue_tally_change_pkey" PRIMARY KEY ("company_id", "owner_id", "id")
);

ALTER TABLE "issue_tally" ADD CONSTRAINT "issue_tally_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Triggers, because a process of the release before changes issues too. One statement whatever changed; what an update
-- leaves as it was adds up to nothing and writes no row.
-- contract: adds rows to a table that the release before does not know
CREATE FUNCTION "record_issue_of_owners"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO issue_tally_change (company_id, owner_id, status, n)
  SELECT coalesce(NEW.company_id, OLD.company_id), owner_id, status, sum(n)
  FROM (VALUES
    (OLD.project_id, OLD.status, -1), (OLD.goal_id, OLD.status, -1), (OLD.assignee_agent_id, OLD.status, -1),
    (NEW.project_id, NEW.status, 1), (NEW.goal_id, NEW.status, 1), (NEW.assignee_agent_id, NEW.status, 1)
  ) change(owner_id, status, n)
  WHERE owner_id IS NOT NULL GROUP BY owner_id, status HAVING sum(n) <> 0;
  RETURN NULL;
END $$;

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "owned_issue_is_tallied" AFTER INSERT ON "issue"
  FOR EACH ROW WHEN (coalesce(NEW.project_id, NEW.goal_id, NEW.assignee_agent_id) IS NOT NULL)
  EXECUTE FUNCTION "record_issue_of_owners"();

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "deleted_issue_is_tallied" AFTER DELETE ON "issue"
  FOR EACH ROW WHEN (coalesce(OLD.project_id, OLD.goal_id, OLD.assignee_agent_id) IS NOT NULL)
  EXECUTE FUNCTION "record_issue_of_owners"();

-- contract: adds rows to a table that the release before does not know
CREATE TRIGGER "issue_of_owners_is_tallied" AFTER UPDATE OF "status", "project_id", "goal_id", "assignee_agent_id" ON "issue"
  FOR EACH ROW WHEN ((OLD.status, OLD.project_id, OLD.goal_id, OLD.assignee_agent_id)
    IS DISTINCT FROM (NEW.status, NEW.project_id, NEW.goal_id, NEW.assignee_agent_id))
  EXECUTE FUNCTION "record_issue_of_owners"();

-- The triggers' locks let nobody write between the count and the commit.
INSERT INTO "issue_tally" ("company_id", "owner_id", "status", "n")
  SELECT company_id, owner_id, status, count(*)
  FROM "issue" CROSS JOIN LATERAL unnest(ARRAY[project_id, goal_id, assignee_agent_id]) AS owner_id
  WHERE owner_id IS NOT NULL GROUP BY company_id, owner_id, status;

-- Which run works, or is about to work, on an issue.
-- Before the release, where many runs are stored: CREATE INDEX CONCURRENTLY under the same name.
CREATE INDEX IF NOT EXISTS "heartbeat_run_live_issue" ON "heartbeat_run"("company_id", "issue_id", "status")
  WHERE "status" IN ('queued', 'running') AND "issue_id" IS NOT NULL;

-- Who entered a secret; for those that are there as far as the activity still knows.
ALTER TABLE "secret" ADD COLUMN "created_by_user_id" TEXT;
UPDATE "secret" SET "created_by_user_id" = "activity"."actor_id"
  FROM "activity"
  WHERE "activity"."company_id" = "secret"."company_id"
    AND "activity"."action" = 'secret.created'
    AND "activity"."entity_id" = "secret"."id"::text
    AND "activity"."actor_type" = 'user';
