-- AlterTable
ALTER TABLE "asset" ADD COLUMN "expires_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "attachment_company_id_asset_id_idx" ON "attachment"("company_id", "asset_id");

-- What the Prisma schema cannot say: the few assets that wait for their removal are found at once.
CREATE INDEX "asset_expiry" ON "asset"("expires_at") WHERE "expires_at" IS NOT NULL;
