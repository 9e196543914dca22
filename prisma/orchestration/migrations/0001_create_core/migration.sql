-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "activity" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "transaction_id" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "run_id" UUID,
    "action" TEXT NOT NULL,
    "entity_type" TEXT NOT NULL,
    "entity_id" TEXT NOT NULL,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "title" TEXT,
    "capabilities" TEXT,
    "reports_to" UUID,
    "status" TEXT NOT NULL DEFAULT 'idle',
    "pause_reason" TEXT,
    "paused_at" TIMESTAMPTZ(6),
    "error_reason" TEXT,
    "budget_monthly_cents" BIGINT NOT NULL DEFAULT 0,
    "adapter_type" TEXT NOT NULL,
    "adapter_config" JSONB NOT NULL DEFAULT '{}',
    "max_concurrent_runs" INTEGER NOT NULL DEFAULT 1,
    "wake_on_assignment" BOOLEAN NOT NULL DEFAULT false,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "last_heartbeat_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_key" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_config_revision" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "revision_number" INTEGER NOT NULL,
    "changed_keys" TEXT[],
    "before" JSONB,
    "after" JSONB NOT NULL,
    "source" TEXT NOT NULL,
    "rolled_back_from_revision_id" UUID,
    "created_by_agent_id" UUID,
    "created_by_user_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_config_revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_month" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "cost_cents" BIGINT NOT NULL DEFAULT 0,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "agent_month_pkey" PRIMARY KEY ("agent_id","month")
);

-- CreateTable
CREATE TABLE "asset" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "storage_key" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "byte_size" INTEGER NOT NULL,
    "sha256" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "asset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attachment" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "issue_id" UUID NOT NULL,
    "asset_id" UUID NOT NULL,
    "original_filename" TEXT NOT NULL,
    "created_by_agent_id" UUID,
    "created_by_user_id" TEXT,
    "created_by_run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("scope","key")
);

-- CreateTable
CREATE TABLE "company" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "issue_prefix" TEXT NOT NULL,
    "issue_counter" INTEGER NOT NULL DEFAULT 0,
    "budget_monthly_cents" BIGINT NOT NULL DEFAULT 0,
    "logo_asset_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "company_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cost_event" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "issue_id" UUID,
    "project_id" UUID,
    "goal_id" UUID,
    "run_id" UUID,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cost_cents" BIGINT NOT NULL,
    "idempotency_key" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "cost_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "issue_document" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "issue_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "latest_revision_id" UUID NOT NULL,
    "latest_revision_number" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "issue_document_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_revision" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "document_id" UUID NOT NULL,
    "revision_number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "format" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "created_by_agent_id" UUID,
    "created_by_user_id" TEXT,
    "created_by_run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "document_revision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "goal" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "level" TEXT NOT NULL DEFAULT 'task',
    "status" TEXT NOT NULL DEFAULT 'planned',
    "parent_id" UUID,
    "owner_agent_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "goal_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "heartbeat_run" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "source" TEXT NOT NULL,
    "wake_reasons" JSONB NOT NULL DEFAULT '[]',
    "issue_id" UUID,
    "routine_run_id" UUID,
    "retry_of_run_id" UUID,
    "hops" INTEGER NOT NULL DEFAULT 0,
    "retries" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "hinted_at" TIMESTAMPTZ(3),
    "worker_id" TEXT,
    "lease_expires_at" TIMESTAMPTZ(6),
    "process_host" TEXT,
    "process_pid" INTEGER,
    "process_started_at" TEXT,
    "cancel_requested_at" TIMESTAMPTZ(6),
    "cancel_reason" TEXT,
    "started_at" TIMESTAMPTZ(6),
    "finished_at" TIMESTAMPTZ(6),
    "exit_code" INTEGER,
    "error_code" TEXT,
    "error" TEXT,
    "input_tokens" BIGINT NOT NULL DEFAULT 0,
    "output_tokens" BIGINT NOT NULL DEFAULT 0,
    "cost_cents" BIGINT NOT NULL DEFAULT 0,
    "log_bytes" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "heartbeat_run_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "run_log_chunk" (
    "company_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "start_offset" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "run_log_chunk_pkey" PRIMARY KEY ("run_id","start_offset")
);

-- CreateTable
CREATE TABLE "agent_wakeup" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "reason" TEXT,
    "issue_id" UUID,
    "comment_id" UUID,
    "payload" JSONB,
    "hops" INTEGER NOT NULL DEFAULT 0,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "skip_reason" TEXT,
    "run_id" UUID,
    "hinted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_wakeup_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "issue" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "issue_number" INTEGER NOT NULL,
    "identifier" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'backlog',
    "priority" TEXT NOT NULL DEFAULT 'medium',
    "priority_rank" INTEGER NOT NULL DEFAULT 2,
    "assignee_agent_id" UUID,
    "parent_id" UUID,
    "project_id" UUID,
    "goal_id" UUID,
    "billing_code" TEXT,
    "checkout_run_id" UUID,
    "checked_out_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "created_by_agent_id" UUID,
    "created_by_user_id" TEXT,
    "origin_routine_run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "issue_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "issue_comment" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "issue_id" UUID NOT NULL,
    "body" TEXT NOT NULL,
    "mentions" JSONB NOT NULL DEFAULT '[]',
    "author_agent_id" UUID,
    "author_user_id" TEXT,
    "created_by_run_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "issue_comment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'planned',
    "lead_agent_id" UUID,
    "target_date" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_goal" (
    "company_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "goal_id" UUID NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "project_goal_pkey" PRIMARY KEY ("project_id","goal_id")
);

-- CreateTable
CREATE TABLE "workspace" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "cwd" TEXT,
    "repo_url" TEXT,
    "repo_ref" TEXT,
    "is_primary" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "activity_sequence_key" ON "activity"("sequence");

-- CreateIndex
CREATE INDEX "activity_company_id_created_at_id_idx" ON "activity"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "activity_company_id_sequence_idx" ON "activity"("company_id", "sequence");

-- CreateIndex
CREATE INDEX "activity_company_id_entity_type_entity_id_created_at_id_idx" ON "activity"("company_id", "entity_type", "entity_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "activity_company_id_actor_id_created_at_id_idx" ON "activity"("company_id", "actor_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "activity_company_id_action_created_at_id_idx" ON "activity"("company_id", "action", "created_at", "id");

-- CreateIndex
CREATE INDEX "agent_company_id_created_at_id_idx" ON "agent"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "agent_company_id_reports_to_idx" ON "agent"("company_id", "reports_to");

-- CreateIndex
CREATE UNIQUE INDEX "agent_company_id_id_key" ON "agent"("company_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_key_hash_key" ON "agent_key"("hash");

-- CreateIndex
CREATE INDEX "agent_key_company_id_agent_id_created_at_id_idx" ON "agent_key"("company_id", "agent_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "agent_config_revision_company_id_agent_id_created_at_id_idx" ON "agent_config_revision"("company_id", "agent_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_config_revision_agent_id_revision_number_key" ON "agent_config_revision"("agent_id", "revision_number");

-- CreateIndex
CREATE INDEX "agent_month_company_id_month_idx" ON "agent_month"("company_id", "month");

-- CreateIndex
CREATE UNIQUE INDEX "asset_storage_key_key" ON "asset"("storage_key");

-- CreateIndex
CREATE UNIQUE INDEX "asset_company_id_id_key" ON "asset"("company_id", "id");

-- CreateIndex
CREATE INDEX "attachment_issue_id_created_at_id_idx" ON "attachment"("issue_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "company_issue_prefix_key" ON "company"("issue_prefix");

-- CreateIndex
CREATE INDEX "cost_event_company_id_occurred_at_idx" ON "cost_event"("company_id", "occurred_at");

-- CreateIndex
CREATE INDEX "cost_event_agent_id_occurred_at_idx" ON "cost_event"("agent_id", "occurred_at");

-- CreateIndex
CREATE INDEX "cost_event_company_id_run_id_idx" ON "cost_event"("company_id", "run_id");

-- CreateIndex
CREATE UNIQUE INDEX "cost_event_company_id_idempotency_key_key" ON "cost_event"("company_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "issue_document_issue_id_created_at_id_idx" ON "issue_document"("issue_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "issue_document_company_id_id_key" ON "issue_document"("company_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "issue_document_issue_id_key_key" ON "issue_document"("issue_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "document_revision_document_id_revision_number_key" ON "document_revision"("document_id", "revision_number");

-- CreateIndex
CREATE INDEX "goal_company_id_created_at_id_idx" ON "goal"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "goal_company_id_parent_id_idx" ON "goal"("company_id", "parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "goal_company_id_id_key" ON "goal"("company_id", "id");

-- CreateIndex
CREATE INDEX "heartbeat_run_company_id_created_at_id_idx" ON "heartbeat_run"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "heartbeat_run_agent_id_created_at_id_idx" ON "heartbeat_run"("agent_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "heartbeat_run_company_id_issue_id_idx" ON "heartbeat_run"("company_id", "issue_id");

-- CreateIndex
CREATE UNIQUE INDEX "heartbeat_run_company_id_id_key" ON "heartbeat_run"("company_id", "id");

-- CreateIndex
CREATE INDEX "agent_wakeup_company_id_agent_id_idx" ON "agent_wakeup"("company_id", "agent_id");

-- CreateIndex
CREATE UNIQUE INDEX "issue_identifier_key" ON "issue"("identifier");

-- CreateIndex
CREATE INDEX "issue_company_id_priority_rank_created_at_id_idx" ON "issue"("company_id", "priority_rank", "created_at", "id");

-- CreateIndex
CREATE INDEX "issue_company_id_status_priority_rank_created_at_id_idx" ON "issue"("company_id", "status", "priority_rank", "created_at", "id");

-- CreateIndex
CREATE INDEX "issue_company_id_assignee_agent_id_priority_rank_created_at_idx" ON "issue"("company_id", "assignee_agent_id", "priority_rank", "created_at", "id");

-- CreateIndex
CREATE INDEX "issue_company_id_project_id_priority_rank_created_at_id_idx" ON "issue"("company_id", "project_id", "priority_rank", "created_at", "id");

-- CreateIndex
CREATE INDEX "issue_company_id_parent_id_idx" ON "issue"("company_id", "parent_id");

-- CreateIndex
CREATE INDEX "issue_company_id_goal_id_idx" ON "issue"("company_id", "goal_id");

-- CreateIndex
CREATE INDEX "issue_checkout_run_id_idx" ON "issue"("checkout_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "issue_company_id_id_key" ON "issue"("company_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "issue_company_id_issue_number_key" ON "issue"("company_id", "issue_number");

-- CreateIndex
CREATE INDEX "issue_comment_issue_id_created_at_id_idx" ON "issue_comment"("issue_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "issue_comment_company_id_id_key" ON "issue_comment"("company_id", "id");

-- CreateIndex
CREATE INDEX "project_company_id_created_at_id_idx" ON "project"("company_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "project_company_id_id_key" ON "project"("company_id", "id");

-- CreateIndex
CREATE INDEX "project_goal_company_id_goal_id_idx" ON "project_goal"("company_id", "goal_id");

-- CreateIndex
CREATE INDEX "workspace_company_id_project_id_created_at_id_idx" ON "workspace"("company_id", "project_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "activity" ADD CONSTRAINT "activity_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_company_id_reports_to_fkey" FOREIGN KEY ("company_id", "reports_to") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_key" ADD CONSTRAINT "agent_key_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_config_revision" ADD CONSTRAINT "agent_config_revision_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_month" ADD CONSTRAINT "agent_month_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "asset" ADD CONSTRAINT "asset_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_company_id_asset_id_fkey" FOREIGN KEY ("company_id", "asset_id") REFERENCES "asset"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_company_id_created_by_agent_id_fkey" FOREIGN KEY ("company_id", "created_by_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "company" ADD CONSTRAINT "company_id_logo_asset_id_fkey" FOREIGN KEY ("id", "logo_asset_id") REFERENCES "asset"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cost_event" ADD CONSTRAINT "cost_event_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cost_event" ADD CONSTRAINT "cost_event_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cost_event" ADD CONSTRAINT "cost_event_company_id_project_id_fkey" FOREIGN KEY ("company_id", "project_id") REFERENCES "project"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cost_event" ADD CONSTRAINT "cost_event_company_id_goal_id_fkey" FOREIGN KEY ("company_id", "goal_id") REFERENCES "goal"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "cost_event" ADD CONSTRAINT "cost_event_company_id_run_id_fkey" FOREIGN KEY ("company_id", "run_id") REFERENCES "heartbeat_run"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue_document" ADD CONSTRAINT "issue_document_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "document_revision" ADD CONSTRAINT "document_revision_company_id_document_id_fkey" FOREIGN KEY ("company_id", "document_id") REFERENCES "issue_document"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "document_revision" ADD CONSTRAINT "document_revision_company_id_created_by_agent_id_fkey" FOREIGN KEY ("company_id", "created_by_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "goal" ADD CONSTRAINT "goal_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "goal" ADD CONSTRAINT "goal_company_id_parent_id_fkey" FOREIGN KEY ("company_id", "parent_id") REFERENCES "goal"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "goal" ADD CONSTRAINT "goal_company_id_owner_agent_id_fkey" FOREIGN KEY ("company_id", "owner_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "heartbeat_run" ADD CONSTRAINT "heartbeat_run_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "heartbeat_run" ADD CONSTRAINT "heartbeat_run_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "heartbeat_run" ADD CONSTRAINT "heartbeat_run_company_id_retry_of_run_id_fkey" FOREIGN KEY ("company_id", "retry_of_run_id") REFERENCES "heartbeat_run"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "run_log_chunk" ADD CONSTRAINT "run_log_chunk_company_id_run_id_fkey" FOREIGN KEY ("company_id", "run_id") REFERENCES "heartbeat_run"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_wakeup" ADD CONSTRAINT "agent_wakeup_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_wakeup" ADD CONSTRAINT "agent_wakeup_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_wakeup" ADD CONSTRAINT "agent_wakeup_company_id_run_id_fkey" FOREIGN KEY ("company_id", "run_id") REFERENCES "heartbeat_run"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_assignee_agent_id_fkey" FOREIGN KEY ("company_id", "assignee_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_created_by_agent_id_fkey" FOREIGN KEY ("company_id", "created_by_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_parent_id_fkey" FOREIGN KEY ("company_id", "parent_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_project_id_fkey" FOREIGN KEY ("company_id", "project_id") REFERENCES "project"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_goal_id_fkey" FOREIGN KEY ("company_id", "goal_id") REFERENCES "goal"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue" ADD CONSTRAINT "issue_company_id_checkout_run_id_fkey" FOREIGN KEY ("company_id", "checkout_run_id") REFERENCES "heartbeat_run"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue_comment" ADD CONSTRAINT "issue_comment_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "issue_comment" ADD CONSTRAINT "issue_comment_company_id_author_agent_id_fkey" FOREIGN KEY ("company_id", "author_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project" ADD CONSTRAINT "project_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project" ADD CONSTRAINT "project_company_id_lead_agent_id_fkey" FOREIGN KEY ("company_id", "lead_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_goal" ADD CONSTRAINT "project_goal_company_id_project_id_fkey" FOREIGN KEY ("company_id", "project_id") REFERENCES "project"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_goal" ADD CONSTRAINT "project_goal_company_id_goal_id_fkey" FOREIGN KEY ("company_id", "goal_id") REFERENCES "goal"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_company_id_project_id_fkey" FOREIGN KEY ("company_id", "project_id") REFERENCES "project"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What the Prisma schema cannot say: rules that hold even when a writer forgets them.

-- At most one queued run an agent: a further wake joins it (guarantee G8).
CREATE UNIQUE INDEX "heartbeat_run_one_queued" ON "heartbeat_run"("agent_id") WHERE "status" = 'queued';
CREATE INDEX "heartbeat_run_running" ON "heartbeat_run"("agent_id") WHERE "status" = 'running';
CREATE INDEX "heartbeat_run_lease" ON "heartbeat_run"("lease_expires_at") WHERE "status" = 'running';
CREATE INDEX "heartbeat_run_waiting" ON "heartbeat_run"("hinted_at") WHERE "status" = 'queued';
CREATE INDEX "agent_wakeup_pending" ON "agent_wakeup"("created_at") WHERE "status" = 'pending';

-- A terminated agent gives its name back.
CREATE UNIQUE INDEX "agent_name_key" ON "agent"("company_id", lower("name")) WHERE "status" <> 'terminated';
CREATE UNIQUE INDEX "workspace_one_primary" ON "workspace"("project_id") WHERE "is_primary";

ALTER TABLE "company" ADD CONSTRAINT "company_status_check" CHECK ("status" IN ('active', 'paused', 'archived'));
ALTER TABLE "company" ADD CONSTRAINT "company_budget_check" CHECK ("budget_monthly_cents" >= 0);
ALTER TABLE "agent" ADD CONSTRAINT "agent_status_check" CHECK ("status" IN ('idle', 'running', 'paused', 'error', 'pending_approval', 'terminated'));
ALTER TABLE "agent" ADD CONSTRAINT "agent_pause_check" CHECK (("status" = 'paused') = ("pause_reason" IS NOT NULL));
ALTER TABLE "agent" ADD CONSTRAINT "agent_budget_check" CHECK ("budget_monthly_cents" >= 0);
ALTER TABLE "heartbeat_run" ADD CONSTRAINT "heartbeat_run_status_check" CHECK ("status" IN ('queued', 'running', 'succeeded', 'failed', 'timed_out', 'cancelled'));
ALTER TABLE "heartbeat_run" ADD CONSTRAINT "heartbeat_run_finished_check" CHECK (("status" IN ('queued', 'running')) = ("finished_at" IS NULL));
ALTER TABLE "agent_wakeup" ADD CONSTRAINT "agent_wakeup_status_check" CHECK ("status" IN ('pending', 'admitted', 'skipped'));
ALTER TABLE "issue" ADD CONSTRAINT "issue_status_check" CHECK ("status" IN ('backlog', 'todo', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled'));
ALTER TABLE "issue" ADD CONSTRAINT "issue_priority_check" CHECK ("priority_rank" = array_position(ARRAY['critical', 'high', 'medium', 'low'], "priority") - 1);
-- Only work in progress is held (guarantee G6).
ALTER TABLE "issue" ADD CONSTRAINT "issue_lock_check" CHECK ("checkout_run_id" IS NULL OR "status" = 'in_progress');
ALTER TABLE "goal" ADD CONSTRAINT "goal_level_check" CHECK ("level" IN ('company', 'team', 'agent', 'task'));
ALTER TABLE "goal" ADD CONSTRAINT "goal_status_check" CHECK ("status" IN ('planned', 'active', 'achieved', 'cancelled'));
ALTER TABLE "project" ADD CONSTRAINT "project_status_check" CHECK ("status" IN ('backlog', 'planned', 'in_progress', 'completed', 'cancelled'));
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_place_check" CHECK ("cwd" IS NOT NULL OR "repo_url" IS NOT NULL);
ALTER TABLE "cost_event" ADD CONSTRAINT "cost_event_amount_check" CHECK ("cost_cents" >= 0 AND "input_tokens" >= 0 AND "output_tokens" >= 0);
