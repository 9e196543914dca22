-- A person works on an issue as an agent does: a member of its company, or `local-board`, the board of local trusted mode.
ALTER TABLE "issue" ADD COLUMN "assignee_user_id" TEXT;
ALTER TABLE "issue" ADD COLUMN "checkout_user_id" TEXT;
ALTER TABLE "issue" ADD CONSTRAINT "issue_assignee_check" CHECK ("assignee_agent_id" IS NULL OR "assignee_user_id" IS NULL);
-- Only work in progress is held, by a run or by its assignee, not by both.
ALTER TABLE "issue" ADD CONSTRAINT "issue_hold_check" CHECK ("checkout_user_id" IS NULL OR (
  "status" = 'in_progress' AND "checkout_run_id" IS NULL AND "assignee_user_id" IS NOT NULL
  AND "checkout_user_id" = "assignee_user_id"));

CREATE INDEX "issue_list_of_person" ON "issue"("company_id", "assignee_user_id", "status", "priority_rank", "created_at", "id")
  WHERE "assignee_user_id" IS NOT NULL;

-- What a foreign key would do, if `local-board` had a membership: a person who is given work is a member until the commit.
-- contract: looks at a column that the release before does not write
CREATE FUNCTION "assert_assignee_is_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM membership
    WHERE company_id = NEW.company_id AND user_id::text = NEW.assignee_user_id FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING TABLE = 'issue', CONSTRAINT = 'issue_assignee_is_member',
      MESSAGE = 'an issue is assigned to a person who is no member of its company';
  END IF;
  RETURN NULL;
END $$;

-- contract: looks at a column that the release before does not write
CREATE TRIGGER "issue_is_given_to_member" AFTER INSERT ON "issue"
  FOR EACH ROW WHEN (NEW.assignee_user_id <> 'local-board') EXECUTE FUNCTION "assert_assignee_is_member"();

-- contract: looks at a column that the release before does not write
CREATE TRIGGER "issue_assignee_is_member" AFTER UPDATE OF "assignee_user_id" ON "issue"
  FOR EACH ROW WHEN (NEW.assignee_user_id <> 'local-board' AND NEW.assignee_user_id IS DISTINCT FROM OLD.assignee_user_id)
  EXECUTE FUNCTION "assert_assignee_is_member"();

-- The latest comment in which an agent calls the board, until a person comments or the issue ends.
ALTER TABLE "issue" ADD COLUMN "board_mention_comment_id" UUID;
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_board_mention_comment_id_fkey" FOREIGN KEY ("company_id", "board_mention_comment_id") REFERENCES "issue_comment"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
CREATE INDEX "issue_board_mention" ON "issue"("company_id", "board_mention_comment_id") WHERE "board_mention_comment_id" IS NOT NULL;

-- Which option of a question the board chose.
ALTER TABLE "approval" ADD COLUMN "answer_option" TEXT;
ALTER TABLE "approval" ADD CONSTRAINT "approval_answer_check" CHECK ("answer_option" IS NULL OR "status" = 'approved');
