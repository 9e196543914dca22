-- AlterTable
ALTER TABLE "person" ADD COLUMN     "is_administrator" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "password_changed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "agent_key" ADD COLUMN     "recorded_addresses" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "recorded_since" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "session" (
    "hash" BYTEA NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_agent" TEXT,
    "address" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "session_id_key" ON "session"("id");

-- CreateIndex
CREATE INDEX "session_user_id_created_at_id_idx" ON "session"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "person"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Until now whoever was signed in could found companies. The oldest account that owns one keeps it: the first
-- account of an installation was made with the bootstrap token.
UPDATE "person" SET "is_administrator" = true WHERE "id" = (
  SELECT p."id" FROM "person" p
  ORDER BY EXISTS (SELECT 1 FROM "membership" m WHERE m."user_id" = p."id" AND m."role" = 'owner') DESC,
    p."created_at", p."id"
  LIMIT 1);
