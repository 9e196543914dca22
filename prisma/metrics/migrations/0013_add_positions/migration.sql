-- AlterTable
ALTER TABLE "balance_snapshot" ADD COLUMN     "margin_equity" DECIMAL(38,18),
ADD COLUMN     "unrealised_pnl" DECIMAL(38,18);

-- CreateTable
CREATE TABLE "position_snapshot" (
    "id" BIGSERIAL NOT NULL,
    "collection_ref" BIGINT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "source_time" TIMESTAMPTZ(3),
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "symbol" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "settle_asset" TEXT NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "entry_price" DECIMAL(38,18) NOT NULL,
    "mark_price" DECIMAL(38,18) NOT NULL,
    "unrealised_pnl" DECIMAL(38,18) NOT NULL,
    "liquidation_price" DECIMAL(38,18),
    "initial_margin" DECIMAL(38,18),
    "maintenance_margin" DECIMAL(38,18),
    "leverage" DECIMAL(38,18),
    "margin_mode" TEXT,
    "value_in_quote" DECIMAL(38,18),
    "unrealised_in_quote" DECIMAL(38,18),
    "funding_received" DECIMAL(38,18) NOT NULL,

    CONSTRAINT "position_snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "funding_payment" (
    "exchange" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "payment_id" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "paid_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "funding_payment_pkey" PRIMARY KEY ("exchange","symbol","payment_id")
);

-- CreateIndex
CREATE INDEX "position_snapshot_collection_ref_idx" ON "position_snapshot"("collection_ref");

-- CreateIndex
CREATE INDEX "position_snapshot_captured_at_id_idx" ON "position_snapshot"("captured_at", "id");

-- CreateIndex
CREATE INDEX "position_snapshot_symbol_captured_at_id_idx" ON "position_snapshot"("symbol", "captured_at", "id");

-- CreateIndex
CREATE INDEX "funding_payment_exchange_symbol_paid_at_idx" ON "funding_payment"("exchange", "symbol", "paid_at");

-- AddForeignKey
ALTER TABLE "position_snapshot" ADD CONSTRAINT "position_snapshot_collection_ref_fkey" FOREIGN KEY ("collection_ref") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
