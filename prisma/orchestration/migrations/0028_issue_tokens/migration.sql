-- CreateTable
CREATE TABLE "personal_token" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "company_id" UUID,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "recorded_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "recorded_since" TIMESTAMPTZ(3),

    CONSTRAINT "personal_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "adapter_probe" (
    "adapter_type" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "found" BOOLEAN NOT NULL,
    "message" TEXT NOT NULL,
    "looked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "adapter_probe_pkey" PRIMARY KEY ("adapter_type","host")
);

-- CreateIndex
CREATE UNIQUE INDEX "personal_token_hash_key" ON "personal_token"("hash");

-- CreateIndex
CREATE INDEX "personal_token_user_id_created_at_id_idx" ON "personal_token"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "personal_token_company_id_user_id_idx" ON "personal_token"("company_id", "user_id");

-- CreateIndex
CREATE INDEX "personal_token_expires_at_idx" ON "personal_token"("expires_at");

-- AddForeignKey
ALTER TABLE "personal_token" ADD CONSTRAINT "personal_token_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A token for one company ends with the membership of its person, in the same transaction.
-- AddForeignKey
ALTER TABLE "personal_token" ADD CONSTRAINT "personal_token_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "membership"("company_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "personal_token" ADD CONSTRAINT "personal_token_scope_check" CHECK ("scope" IN ('read', 'write'));
