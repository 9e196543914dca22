-- AlterTable
ALTER TABLE "funding_payment" ADD COLUMN     "counted_at" TIMESTAMPTZ(3),
ADD COLUMN     "id" BIGSERIAL NOT NULL,
ADD COLUMN     "quote" TEXT,
ADD COLUMN     "value_in_quote" DECIMAL(38,18);

-- CreateIndex
CREATE INDEX "funding_payment_paid_at_id_idx" ON "funding_payment"("paid_at", "id");
