-- AlterTable
ALTER TABLE "agent_wakeup" ADD COLUMN     "routine_run_id" UUID;

-- CreateTable
CREATE TABLE "routine" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "assignee_agent_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "goal_id" UUID,
    "parent_issue_id" UUID,
    "priority" TEXT NOT NULL DEFAULT 'medium',
    "status" TEXT NOT NULL DEFAULT 'active',
    "concurrency_policy" TEXT NOT NULL DEFAULT 'coalesce_if_active',
    "catch_up_policy" TEXT NOT NULL DEFAULT 'skip_missed',
    "created_by_agent_id" UUID,
    "created_by_user_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "routine_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "routine_trigger" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "routine_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "label" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "cron_expression" TEXT,
    "timezone" TEXT,
    "next_run_at" TIMESTAMPTZ(3),
    "last_fired_at" TIMESTAMPTZ(3),
    "public_id" TEXT,
    "signing_mode" TEXT,
    "replay_window_sec" INTEGER,
    "secret_version" INTEGER NOT NULL DEFAULT 0,
    "secret_key_id" UUID,
    "secret_ciphertext" BYTEA,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "failure_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "routine_trigger_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "routine_run" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "routine_id" UUID NOT NULL,
    "trigger_id" UUID,
    "source" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "scheduled_for" TIMESTAMPTZ(3),
    "triggered_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "payload" JSONB,
    "idempotency_key" TEXT,
    "linked_issue_id" UUID,
    "active_run_id" UUID,
    "failure_reason" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "hinted_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "routine_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_signature" (
    "company_id" UUID NOT NULL,
    "trigger_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_signature_pkey" PRIMARY KEY ("trigger_id","digest")
);

-- CreateIndex
CREATE INDEX "routine_company_id_created_at_id_idx" ON "routine"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "routine_company_id_assignee_agent_id_idx" ON "routine"("company_id", "assignee_agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "routine_company_id_id_key" ON "routine"("company_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "routine_trigger_public_id_key" ON "routine_trigger"("public_id");

-- CreateIndex
CREATE INDEX "routine_trigger_company_id_routine_id_created_at_id_idx" ON "routine_trigger"("company_id", "routine_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "routine_trigger_company_id_secret_key_id_idx" ON "routine_trigger"("company_id", "secret_key_id");

-- CreateIndex
CREATE UNIQUE INDEX "routine_trigger_company_id_id_key" ON "routine_trigger"("company_id", "id");

-- CreateIndex
CREATE INDEX "routine_run_company_id_routine_id_created_at_id_idx" ON "routine_run"("company_id", "routine_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "routine_run_company_id_linked_issue_id_idx" ON "routine_run"("company_id", "linked_issue_id");

-- CreateIndex
CREATE INDEX "routine_run_company_id_active_run_id_idx" ON "routine_run"("company_id", "active_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "routine_run_company_id_id_key" ON "routine_run"("company_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "routine_run_trigger_id_scheduled_for_key" ON "routine_run"("trigger_id", "scheduled_for");

-- CreateIndex
CREATE UNIQUE INDEX "routine_run_routine_id_idempotency_key_key" ON "routine_run"("routine_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "webhook_signature_expires_at_idx" ON "webhook_signature"("expires_at");

-- CreateIndex
CREATE INDEX "agent_wakeup_company_id_routine_run_id_created_at_id_idx" ON "agent_wakeup"("company_id", "routine_run_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "agent_wakeup" ADD CONSTRAINT "agent_wakeup_company_id_routine_run_id_fkey" FOREIGN KEY ("company_id", "routine_run_id") REFERENCES "routine_run"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine" ADD CONSTRAINT "routine_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routine" ADD CONSTRAINT "routine_company_id_assignee_agent_id_fkey" FOREIGN KEY ("company_id", "assignee_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine" ADD CONSTRAINT "routine_company_id_created_by_agent_id_fkey" FOREIGN KEY ("company_id", "created_by_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine" ADD CONSTRAINT "routine_company_id_project_id_fkey" FOREIGN KEY ("company_id", "project_id") REFERENCES "project"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine" ADD CONSTRAINT "routine_company_id_goal_id_fkey" FOREIGN KEY ("company_id", "goal_id") REFERENCES "goal"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine" ADD CONSTRAINT "routine_company_id_parent_issue_id_fkey" FOREIGN KEY ("company_id", "parent_issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine_trigger" ADD CONSTRAINT "routine_trigger_company_id_routine_id_fkey" FOREIGN KEY ("company_id", "routine_id") REFERENCES "routine"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine_trigger" ADD CONSTRAINT "routine_trigger_company_id_secret_key_id_fkey" FOREIGN KEY ("company_id", "secret_key_id") REFERENCES "secret_key"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_company_id_routine_id_fkey" FOREIGN KEY ("company_id", "routine_id") REFERENCES "routine"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_company_id_linked_issue_id_fkey" FOREIGN KEY ("company_id", "linked_issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_company_id_active_run_id_fkey" FOREIGN KEY ("company_id", "active_run_id") REFERENCES "routine_run"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_signature" ADD CONSTRAINT "webhook_signature_company_id_trigger_id_fkey" FOREIGN KEY ("company_id", "trigger_id") REFERENCES "routine_trigger"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What is due, in its order; the sweep of every worker reads it twice a second.
CREATE INDEX "routine_trigger_due" ON "routine_trigger"("next_run_at") WHERE "next_run_at" IS NOT NULL;
-- Firings that no worker has done yet.
CREATE INDEX "routine_run_pending" ON "routine_run"("created_at") WHERE "status" = 'pending';
-- The active runs of a routine, of which the concurrency policy asks.
CREATE INDEX "routine_run_active" ON "routine_run"("routine_id", "created_at") WHERE "status" = 'issue_created';

ALTER TABLE "routine" ADD CONSTRAINT "routine_status_check" CHECK ("status" IN ('active', 'paused', 'archived'));
ALTER TABLE "routine" ADD CONSTRAINT "routine_priority_check" CHECK ("priority" IN ('critical', 'high', 'medium', 'low'));
ALTER TABLE "routine" ADD CONSTRAINT "routine_policy_check" CHECK ("concurrency_policy" IN ('coalesce_if_active', 'skip_if_active', 'always_enqueue') AND "catch_up_policy" IN ('skip_missed', 'enqueue_missed_with_cap'));
ALTER TABLE "routine_trigger" ADD CONSTRAINT "routine_trigger_kind_check" CHECK ("kind" IN ('schedule', 'webhook', 'api'));
ALTER TABLE "routine_trigger" ADD CONSTRAINT "routine_trigger_schedule_check" CHECK (("kind" = 'schedule') = ("cron_expression" IS NOT NULL) AND ("kind" = 'schedule') = ("timezone" IS NOT NULL) AND ("kind" = 'schedule' OR "next_run_at" IS NULL));
ALTER TABLE "routine_trigger" ADD CONSTRAINT "routine_trigger_webhook_check" CHECK (("kind" = 'webhook') = ("public_id" IS NOT NULL) AND ("kind" = 'webhook') = ("signing_mode" IS NOT NULL) AND ("kind" = 'webhook') = ("replay_window_sec" IS NOT NULL) AND ("kind" = 'webhook') = ("secret_ciphertext" IS NOT NULL) AND ("kind" = 'webhook') = ("secret_key_id" IS NOT NULL));
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_source_check" CHECK ("source" IN ('schedule', 'webhook', 'api', 'manual'));
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_status_check" CHECK ("status" IN ('pending', 'issue_created', 'completed', 'failed', 'cancelled', 'coalesced', 'skipped'));
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_linked_check" CHECK ("status" NOT IN ('issue_created', 'completed') OR "linked_issue_id" IS NOT NULL);
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_joined_check" CHECK (("status" IN ('coalesced', 'skipped')) = ("active_run_id" IS NOT NULL));
ALTER TABLE "routine_run" ADD CONSTRAINT "routine_run_completed_check" CHECK (("status" IN ('pending', 'issue_created')) = ("completed_at" IS NULL));
