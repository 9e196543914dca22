-- What a person has put aside in the inbox: until a time, or, without one, until it happens anew. A person is a member or
-- `local-board`, so no foreign key says which; an item is worked out at each look and has no row.
CREATE TABLE "hidden_inbox_item" (
    "company_id" UUID NOT NULL,
    "user_id" TEXT NOT NULL,
    "item_id" TEXT NOT NULL,
    "happened_at" TIMESTAMPTZ(6) NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3),
    "hidden_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "hidden_inbox_item_pkey" PRIMARY KEY ("company_id", "user_id", "item_id")
);

ALTER TABLE "hidden_inbox_item" ADD CONSTRAINT "hidden_inbox_item_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the last check of each agent found that keeps it from running.
CREATE TABLE "agent_last_check" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "errors" JSONB NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_last_check_pkey" PRIMARY KEY ("agent_id")
);

CREATE UNIQUE INDEX "agent_last_check_company_id_agent_id_key" ON "agent_last_check"("company_id", "agent_id");

ALTER TABLE "agent_last_check" ADD CONSTRAINT "agent_last_check_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Since when an issue has its status; null for issues that have kept theirs since before this migration. The default comes
-- after the column, so that no stored row is written.
ALTER TABLE "issue" ADD COLUMN "status_since" TIMESTAMPTZ(3);
ALTER TABLE "issue" ALTER COLUMN "status_since" SET DEFAULT CURRENT_TIMESTAMP;

-- A trigger, because a process of the release before changes statuses too.
-- contract: writes a column that the release before does not know
CREATE FUNCTION "set_issue_status_since"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.status_since := now();
  RETURN NEW;
END $$;

-- contract: writes a column that the release before does not know
CREATE TRIGGER "issue_status_is_dated" BEFORE UPDATE OF "status" ON "issue"
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION "set_issue_status_since"();

-- Runs that serve several wakes, by the issues of these: few of all runs. A run that failed is settled by a later one that
-- took its wake on.
-- Before the release, where many runs are stored: CREATE INDEX CONCURRENTLY under the same name.
CREATE INDEX IF NOT EXISTS "heartbeat_run_of_merged_wakes" ON "heartbeat_run"
  USING gin (jsonb_path_query_array("wake_reasons", '$[*].issueId') jsonb_path_ops)
  WHERE jsonb_array_length("wake_reasons") > 1;
