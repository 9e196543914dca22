-- CreateTable
CREATE TABLE "company_month" (
    "company_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "soft_alerted_at" TIMESTAMPTZ(6),
    "hard_stopped_at" TIMESTAMPTZ(6),

    CONSTRAINT "company_month_pkey" PRIMARY KEY ("company_id","month")
);

-- AlterTable
ALTER TABLE "agent_month" ADD COLUMN "unpriced_events" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "watch_at_cents" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "granted_cents" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "soft_alerted_at" TIMESTAMPTZ(6),
ADD COLUMN "hard_stopped_at" TIMESTAMPTZ(6);

-- AlterTable
ALTER TABLE "cost_event" ADD COLUMN "unpriced" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "content_hash" TEXT;

-- AlterTable
ALTER TABLE "heartbeat_run" ADD COLUMN "unpriced_events" INTEGER NOT NULL DEFAULT 0;

-- DropIndex
DROP INDEX "cost_event_company_id_occurred_at_idx";

-- DropIndex
DROP INDEX "cost_event_agent_id_occurred_at_idx";

-- CreateIndex
CREATE INDEX "cost_event_by_project" ON "cost_event"("company_id", "created_at", "project_id", "cost_cents", "input_tokens", "output_tokens");

-- AddForeignKey
ALTER TABLE "company_month" ADD CONSTRAINT "company_month_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What the Prisma schema cannot say.

-- Those whom a new month may resume.
CREATE INDEX "agent_paused_by_budget" ON "agent"("id") WHERE "pause_reason" = 'budget';
-- An unknown price is never mixed with a known one.
ALTER TABLE "cost_event" ADD CONSTRAINT "cost_event_unpriced_check" CHECK (NOT "unpriced" OR "cost_cents" = 0);
