-- AlterTable
ALTER TABLE "balance_snapshot" ADD COLUMN     "priced_equity" DECIMAL(38,18);

-- Equity without a price for every asset was stored as the sum of the others, down to zero.
UPDATE "balance_snapshot"
SET "priced_equity" = "total_equity",
    "total_equity" = CASE WHEN "equity_complete" THEN "total_equity" END
WHERE "total_row";

-- Hours that such rows went into are made again from the rows that are left.
-- contract: the release before reads an hour that is missing as one without a sample
DELETE FROM "rollup_hour" AS r
USING (
  SELECT DISTINCT "exchange", "simulated", date_bin('1 hour', "captured_at", 'epoch'::timestamptz) AS "hour"
  FROM "balance_snapshot" WHERE "total_row" AND "total_equity" IS NULL
) AS wrong
WHERE r."kind" = 'balance' AND r."key" = '' AND r."metric" = 'equity'
  AND r."exchange" = wrong."exchange" AND r."simulated" = wrong."simulated" AND r."hour" = wrong."hour";

INSERT INTO "rollup_hour" ("kind", "key", "metric", "exchange", "simulated", "hour", "samples", "sum", "min",
  "max", "first", "last")
SELECT 'balance', '', 'equity', b."exchange", b."simulated", wrong."hour", count(*), sum(b."total_equity"),
  min(b."total_equity"), max(b."total_equity"),
  (array_agg(b."total_equity" ORDER BY b."captured_at", b."id"))[1],
  (array_agg(b."total_equity" ORDER BY b."captured_at" DESC, b."id" DESC))[1]
FROM (
  SELECT DISTINCT "exchange", "simulated", date_bin('1 hour', "captured_at", 'epoch'::timestamptz) AS "hour"
  FROM "balance_snapshot" WHERE "total_row" AND "total_equity" IS NULL
) AS wrong
JOIN "balance_snapshot" AS b ON b."asset" IS NULL AND b."total_row" AND b."total_equity" IS NOT NULL
  AND b."exchange" = wrong."exchange" AND b."simulated" = wrong."simulated"
  AND b."captured_at" >= wrong."hour" AND b."captured_at" < wrong."hour" + interval '1 hour'
JOIN "rollup_progress" AS p ON p."kind" = 'balance' AND wrong."hour" < p."complete_until"
GROUP BY b."exchange", b."simulated", wrong."hour";
