-- CreateTable
CREATE TABLE "approval" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "payload" JSONB NOT NULL DEFAULT '{}',
    "hired_agent_id" UUID,
    "requested_by_agent_id" UUID,
    "requested_by_user_id" TEXT,
    "decided_by_user_id" TEXT,
    "decision_note" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "approval_comment" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "approval_id" UUID NOT NULL,
    "body" TEXT NOT NULL,
    "author_agent_id" UUID,
    "author_user_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "approval_comment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "approval_issue" (
    "company_id" UUID NOT NULL,
    "approval_id" UUID NOT NULL,
    "issue_id" UUID NOT NULL,

    CONSTRAINT "approval_issue_pkey" PRIMARY KEY ("approval_id","issue_id")
);

-- CreateIndex
CREATE INDEX "approval_company_id_created_at_id_idx" ON "approval"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "approval_company_id_status_created_at_id_idx" ON "approval"("company_id", "status", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "approval_company_id_id_key" ON "approval"("company_id", "id");

-- CreateIndex
CREATE INDEX "approval_comment_approval_id_created_at_id_idx" ON "approval_comment"("approval_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "approval_issue_company_id_issue_id_idx" ON "approval_issue"("company_id", "issue_id");

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_company_id_requested_by_agent_id_fkey" FOREIGN KEY ("company_id", "requested_by_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approval" ADD CONSTRAINT "approval_company_id_hired_agent_id_fkey" FOREIGN KEY ("company_id", "hired_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approval_comment" ADD CONSTRAINT "approval_comment_company_id_approval_id_fkey" FOREIGN KEY ("company_id", "approval_id") REFERENCES "approval"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approval_comment" ADD CONSTRAINT "approval_comment_company_id_author_agent_id_fkey" FOREIGN KEY ("company_id", "author_agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approval_issue" ADD CONSTRAINT "approval_issue_company_id_approval_id_fkey" FOREIGN KEY ("company_id", "approval_id") REFERENCES "approval"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "approval_issue" ADD CONSTRAINT "approval_issue_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE "approval" ADD CONSTRAINT "approval_status_check" CHECK ("status" IN ('pending', 'approved', 'rejected', 'revision_requested'));
ALTER TABLE "approval" ADD CONSTRAINT "approval_decided_check" CHECK (("status" IN ('approved', 'rejected')) = ("decided_at" IS NOT NULL));
