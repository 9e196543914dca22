-- lock: three nullable columns are catalogue changes and take milliseconds
ALTER TABLE "trade"
  ADD COLUMN "fee_price" DECIMAL(38,18),
  ADD COLUMN "order_price" DECIMAL(38,18),
  ADD COLUMN "books" JSONB;

-- lock: a nullable column is a catalogue change and takes milliseconds
ALTER TABLE "exchange_order" ADD COLUMN "price" DECIMAL(38,18);
