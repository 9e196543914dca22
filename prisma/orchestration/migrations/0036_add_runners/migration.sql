-- Runners of companies: programs that execute runs elsewhere, each known by its token.
CREATE TABLE "runner" (
    "id" UUID NOT NULL,
    "company_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "labels" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(3),
    "last_seen_at" TIMESTAMPTZ(3),

    CONSTRAINT "runner_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "runner_id_company_id_key" ON "runner"("id", "company_id");
CREATE UNIQUE INDEX "runner_token_hash_key" ON "runner"("token_hash");
CREATE INDEX "runner_company_id_created_at_id_idx" ON "runner"("company_id", "created_at", "id");
-- One name of the runners that are not revoked, whatever its case.
CREATE UNIQUE INDEX "runner_of_company" ON "runner"("company_id", lower("name")) WHERE "revoked_at" IS NULL;

ALTER TABLE "runner" ADD CONSTRAINT "runner_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "company"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Each start of a runner program. Without a runner it has the installation's own token.
CREATE TABLE "runner_instance" (
    "id" UUID NOT NULL,
    "company_id" UUID,
    "runner_id" UUID,
    "name" TEXT NOT NULL,
    "labels" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "capacity" INTEGER NOT NULL,
    "sandbox_driver" TEXT NOT NULL,
    "sandbox_detail" TEXT NOT NULL DEFAULT '',
    "probes" JSONB NOT NULL DEFAULT '[]',
    "began_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "runner_instance_pkey" PRIMARY KEY ("id")
);

-- One program at a time under a token and a name.
CREATE UNIQUE INDEX "runner_instance_present" ON "runner_instance"(coalesce("runner_id", '00000000-0000-0000-0000-000000000000'), "name") WHERE "replaced_at" IS NULL;
CREATE INDEX "runner_instance_company_id_runner_id_idx" ON "runner_instance"("company_id", "runner_id");
CREATE INDEX "runner_instance_last_seen_at_idx" ON "runner_instance"("last_seen_at");

ALTER TABLE "runner_instance" ADD CONSTRAINT "runner_instance_runner_id_company_id_fkey" FOREIGN KEY ("runner_id", "company_id") REFERENCES "runner"("id", "company_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Which start of a runner holds a run, the digest of what it proves that with, the last usage that it reported under
-- this claim, and the adapter that executes it. The default is constant, so no stored row is written.
ALTER TABLE "heartbeat_run" ADD COLUMN "runner_instance" UUID;
ALTER TABLE "heartbeat_run" ADD COLUMN "ticket_hash" BYTEA;
ALTER TABLE "heartbeat_run" ADD COLUMN "usage_seq" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "heartbeat_run" ADD COLUMN "adapter_type" TEXT;

-- Before the release, where many runs are stored: CREATE INDEX CONCURRENTLY under the same name.
CREATE INDEX IF NOT EXISTS "heartbeat_run_of_runner" ON "heartbeat_run"("runner_instance") WHERE "status" = 'running' AND "runner_instance" IS NOT NULL;

-- The start of a runner that looks at the agent.
ALTER TABLE "agent_check" ADD COLUMN "runner_instance" UUID;
