-- lock: new columns without a computed default are catalogue changes and take milliseconds
ALTER TABLE "exchange_order"
  ADD COLUMN "amount" DECIMAL(38,18),
  ADD COLUMN "is_open" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "gone_at" TIMESTAMPTZ(3);

-- lock: no row is in it yet, so that the build is one quick reading of a small table
CREATE INDEX "exchange_order_open" ON "exchange_order"("exchange", "symbol") WHERE "is_open";
