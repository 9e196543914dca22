-- DropIndex
DROP INDEX "activity_company_id_sequence_idx";

-- DropIndex
DROP INDEX "activity_company_id_entity_type_entity_id_created_at_id_idx";

-- DropIndex
DROP INDEX "heartbeat_run_agent_id_created_at_id_idx";

-- DropIndex
DROP INDEX "heartbeat_run_company_id_issue_id_idx";

-- DropIndex
DROP INDEX "issue_company_id_assignee_agent_id_priority_rank_created_at_idx";

-- DropIndex
DROP INDEX "issue_company_id_project_id_priority_rank_created_at_id_idx";

-- CreateIndex
CREATE INDEX "activity_company_id_transaction_id_sequence_idx" ON "activity"("company_id", "transaction_id", "sequence");

-- CreateIndex
CREATE INDEX "activity_company_id_entity_type_created_at_id_idx" ON "activity"("company_id", "entity_type", "created_at", "id");

-- CreateIndex
CREATE INDEX "activity_company_id_entity_id_created_at_id_idx" ON "activity"("company_id", "entity_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "heartbeat_run_company_id_status_created_at_id_idx" ON "heartbeat_run"("company_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "heartbeat_run_agent_id_status_created_at_id_idx" ON "heartbeat_run"("agent_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "heartbeat_run_company_id_issue_id_created_at_id_idx" ON "heartbeat_run"("company_id", "issue_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "issue_list_of_assignee" ON "issue"("company_id", "assignee_agent_id", "status", "priority_rank", "created_at", "id");

-- CreateIndex
CREATE INDEX "issue_list_of_project" ON "issue"("company_id", "project_id", "status", "priority_rank", "created_at", "id");

-- CreateIndex
CREATE INDEX "issue_list_of_assignee_and_project" ON "issue"("company_id", "assignee_agent_id", "project_id", "status", "priority_rank", "created_at", "id");
