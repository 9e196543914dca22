-- CreateTable
CREATE TABLE "transfer" (
    "id" BIGSERIAL NOT NULL,
    "collection_ref" BIGINT,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "type" TEXT NOT NULL,
    "transfer_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "fee" DECIMAL(38,18) NOT NULL,
    "fee_asset" TEXT,
    "transferred_at" TIMESTAMPTZ(3) NOT NULL,
    "counted_at" TIMESTAMPTZ(3) NOT NULL,
    "quote" TEXT NOT NULL,
    "value_in_quote" DECIMAL(38,18),
    "fee_in_quote" DECIMAL(38,18),

    CONSTRAINT "transfer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transfer_progress" (
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "watermark" TIMESTAMPTZ(3) NOT NULL,
    "known_from" TIMESTAMPTZ(3) NOT NULL,
    "known_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transfer_progress_pkey" PRIMARY KEY ("exchange","simulated")
);

-- CreateIndex
CREATE INDEX "transfer_collection_ref_idx" ON "transfer"("collection_ref");

-- CreateIndex
CREATE INDEX "transfer_captured_at_id_idx" ON "transfer"("captured_at", "id");

-- CreateIndex
CREATE INDEX "transfer_asset_captured_at_id_idx" ON "transfer"("asset", "captured_at", "id");

-- CreateIndex
CREATE INDEX "transfer_exchange_simulated_counted_at_idx" ON "transfer"("exchange", "simulated", "counted_at");

-- CreateIndex
CREATE UNIQUE INDEX "transfer_exchange_simulated_type_transfer_id_key" ON "transfer"("exchange", "simulated", "type", "transfer_id");

-- AddForeignKey
ALTER TABLE "transfer" ADD CONSTRAINT "transfer_collection_ref_fkey" FOREIGN KEY ("collection_ref") REFERENCES "collection"("id") ON DELETE SET NULL ON UPDATE CASCADE;
