-- Which issue waits for the end of which other one. Both are bound by the company, so no issue waits for another company's.
CREATE TABLE "issue_blocker" (
    "company_id" UUID NOT NULL,
    "issue_id" UUID NOT NULL,
    "blocker_id" UUID NOT NULL,
    "hops" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "issue_blocker_pkey" PRIMARY KEY ("issue_id", "blocker_id")
);

-- Who waits for an issue that ends.
CREATE INDEX "issue_blocker_company_id_blocker_id_idx" ON "issue_blocker"("company_id", "blocker_id");

ALTER TABLE "issue_blocker" ADD CONSTRAINT "issue_blocker_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "issue_blocker" ADD CONSTRAINT "issue_blocker_company_id_blocker_id_fkey" FOREIGN KEY ("company_id", "blocker_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "issue_blocker" ADD CONSTRAINT "issue_blocker_self_check" CHECK ("issue_id" <> "blocker_id");

-- Whether a parent has open children is asked at the end of each of them, however many have ended before.
-- Before the release, where many issues are stored: CREATE INDEX CONCURRENTLY under the same name.
CREATE INDEX IF NOT EXISTS "issue_open_children" ON "issue"("parent_id")
  WHERE "parent_id" IS NOT NULL AND "status" NOT IN ('done', 'cancelled');
