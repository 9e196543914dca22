-- CreateTable
CREATE TABLE "agent_session" (
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "issue_id" UUID NOT NULL,
    "adapter_type" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "directory" TEXT NOT NULL,
    "counted" JSONB NOT NULL DEFAULT '{}',
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_session_pkey" PRIMARY KEY ("agent_id","issue_id","adapter_type")
);

-- CreateIndex
CREATE INDEX "agent_session_company_id_agent_id_idx" ON "agent_session"("company_id", "agent_id");

-- CreateIndex
CREATE INDEX "agent_session_company_id_issue_id_idx" ON "agent_session"("company_id", "issue_id");

-- AddForeignKey
ALTER TABLE "agent_session" ADD CONSTRAINT "agent_session_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_session" ADD CONSTRAINT "agent_session_company_id_issue_id_fkey" FOREIGN KEY ("company_id", "issue_id") REFERENCES "issue"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;
