-- CreateTable
CREATE TABLE "agent_check" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimed_at" TIMESTAMPTZ(3),
    "findings" JSONB,

    CONSTRAINT "agent_check_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN "repo_secret_id" UUID,
ADD COLUMN "repo_secret_version" INTEGER;

-- CreateIndex
CREATE INDEX "agent_check_company_id_agent_id_idx" ON "agent_check"("company_id", "agent_id");

-- CreateIndex
CREATE INDEX "agent_check_requested_at_idx" ON "agent_check"("requested_at");

-- CreateIndex
CREATE INDEX "workspace_company_id_repo_secret_id_idx" ON "workspace"("company_id", "repo_secret_id");

-- AddForeignKey
ALTER TABLE "agent_check" ADD CONSTRAINT "agent_check_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "agent"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_company_id_repo_secret_id_fkey" FOREIGN KEY ("company_id", "repo_secret_id") REFERENCES "secret"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What the Prisma schema cannot say.

ALTER TABLE "workspace" ADD CONSTRAINT "workspace_credential_check" CHECK ("repo_secret_id" IS NULL OR "repo_url" LIKE 'https://%');
ALTER TABLE "workspace" ADD CONSTRAINT "workspace_credential_version_check" CHECK ("repo_secret_version" IS NULL OR "repo_secret_id" IS NOT NULL);
