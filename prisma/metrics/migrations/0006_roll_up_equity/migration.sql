-- The newest total of an account, also of one that has none.
CREATE INDEX IF NOT EXISTS "balance_snapshot_total" ON "balance_snapshot"("exchange", "captured_at" DESC, "id" DESC) WHERE "asset" IS NULL;

-- lock: new columns with a constant default or none are catalogue changes and take milliseconds
ALTER TABLE "balance_snapshot" ADD COLUMN "margin_assets" JSONB;
ALTER TABLE "collection" ADD COLUMN "brought_data" BOOLEAN NOT NULL DEFAULT false;

-- lock: no row is in it yet, so that the build is one quick reading of the table
CREATE INDEX "collection_brought_data" ON "collection"("started_at" DESC, "id" DESC) WHERE "brought_data";
UPDATE "collection" SET brought_data = true WHERE id = (
  SELECT id FROM "collection"
  WHERE status = 'success' AND data_points > 0 AND EXISTS (
    SELECT 1 FROM jsonb_each(components) AS part
    WHERE part.key <> 'regime_analysis' AND (part.value->>'data_points')::integer > 0)
  ORDER BY started_at DESC, id DESC LIMIT 1
);

-- lock: the table holds events of a week
CREATE INDEX "webhook_event_ended" ON "webhook_event"("delivered_at") WHERE "next_attempt_at" IS NULL;

-- Hours of equity did not name their quote, so they are kept only of accounts that have had one quote. The service rolls up
-- the rows that are there again, which takes a second for each month of them.
INSERT INTO "rollup_hour"
SELECT 'equity', known.quote, hours.metric, hours.exchange, hours.simulated, hours.hour, hours.samples, hours.sum, hours.min,
  hours.max, hours.first, hours.last
FROM "rollup_hour" hours JOIN (
  SELECT exchange, simulated, min(quote) AS quote FROM "balance_snapshot" WHERE asset IS NULL
  GROUP BY exchange, simulated HAVING count(DISTINCT quote) = 1
) known USING (exchange, simulated)
WHERE hours.kind = 'balance' AND hours.key = '' AND hours.metric = 'equity';
