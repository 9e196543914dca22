-- CreateIndex
CREATE INDEX "regime_snapshot_symbol_timeframe_captured_at_id_idx" ON "regime_snapshot"("symbol", "timeframe", "captured_at", "id");

-- The series of an hour's candles keeps the symbol as its key; the others add their timeframe.
INSERT INTO "series" ("kind", "key", "exchange", "simulated")
SELECT DISTINCT 'regime', "symbol" || ' ' || "timeframe", "exchange", "simulated"
FROM "regime_snapshot" WHERE "timeframe" <> '1h'
ON CONFLICT DO NOTHING;

-- Hours in which several timeframes were counted as one are made again, for each timeframe.
-- contract: the release before reads an hour that is missing as one without a sample
DELETE FROM "rollup_hour" AS r USING (
  SELECT DISTINCT "symbol", "exchange", "simulated", date_bin('1 hour', "captured_at", 'epoch'::timestamptz) AS "hour"
  FROM "regime_snapshot" WHERE "timeframe" <> '1h'
) AS m
WHERE r."kind" = 'regime' AND r."key" = m."symbol" AND r."exchange" = m."exchange"
  AND r."simulated" = m."simulated" AND r."hour" = m."hour";

INSERT INTO "rollup_hour" ("kind", "key", "metric", "exchange", "simulated", "hour", "samples", "sum", "min",
  "max", "first", "last")
SELECT 'regime', CASE t."timeframe" WHEN '1h' THEN t."symbol" ELSE t."symbol" || ' ' || t."timeframe" END,
  v."metric", t."exchange", t."simulated", m."hour", count(*), sum(v."value"), min(v."value"), max(v."value"),
  (array_agg(v."value" ORDER BY t."captured_at", t."id"))[1],
  (array_agg(v."value" ORDER BY t."captured_at" DESC, t."id" DESC))[1]
FROM (
  SELECT DISTINCT "symbol", "exchange", "simulated", date_bin('1 hour', "captured_at", 'epoch'::timestamptz) AS "hour"
  FROM "regime_snapshot" WHERE "timeframe" <> '1h'
) AS m
JOIN "regime_snapshot" AS t ON t."symbol" = m."symbol" AND t."exchange" = m."exchange"
  AND t."simulated" = m."simulated" AND t."captured_at" >= m."hour" AND t."captured_at" < m."hour" + interval '1 hour'
JOIN "rollup_progress" AS p ON p."kind" = 'regime' AND m."hour" < p."complete_until"
CROSS JOIN LATERAL (VALUES ('confidence', t."confidence"::numeric), ('score_trend', t."score_trend"::numeric),
  ('score_range', t."score_range"::numeric), ('score_volatility', t."score_volatility"::numeric)) AS v ("metric", "value")
WHERE v."value" IS NOT NULL
GROUP BY 2, 3, 4, 5, 6;
