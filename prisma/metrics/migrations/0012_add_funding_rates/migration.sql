-- CreateTable
CREATE TABLE "funding_snapshot" (
    "id" BIGSERIAL NOT NULL,
    "collection_ref" BIGINT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "source_time" TIMESTAMPTZ(3),
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "symbol" TEXT NOT NULL,
    "rate" DECIMAL(38,18) NOT NULL,
    "mark_price" DECIMAL(38,18),
    "index_price" DECIMAL(38,18),
    "funding_at" TIMESTAMPTZ(3),

    CONSTRAINT "funding_snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "funding_snapshot_collection_ref_idx" ON "funding_snapshot"("collection_ref");

-- CreateIndex
CREATE INDEX "funding_snapshot_captured_at_id_idx" ON "funding_snapshot"("captured_at", "id");

-- CreateIndex
CREATE INDEX "funding_snapshot_symbol_captured_at_id_idx" ON "funding_snapshot"("symbol", "captured_at", "id");

-- AddForeignKey
ALTER TABLE "funding_snapshot" ADD CONSTRAINT "funding_snapshot_collection_ref_fkey" FOREIGN KEY ("collection_ref") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;
