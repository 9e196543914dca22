CREATE TABLE "transfer_total" (
  "exchange" TEXT NOT NULL,
  "simulated" BOOLEAN NOT NULL,
  "quote" TEXT NOT NULL,
  "value" DECIMAL(38,18),
  CONSTRAINT "transfer_total_pkey" PRIMARY KEY ("exchange", "simulated", "quote")
);

INSERT INTO "transfer_total" ("exchange", "simulated", "quote", "value")
SELECT exchange, simulated, quote,
  CASE WHEN coalesce(bool_and(value_in_quote IS NOT NULL) FILTER (WHERE status = 'ok' OR status = 'pending' AND type = 'withdrawal'), true)
    THEN coalesce(sum(CASE type WHEN 'withdrawal' THEN -value_in_quote ELSE value_in_quote END)
      FILTER (WHERE status = 'ok' OR status = 'pending' AND type = 'withdrawal'), 0) END
FROM "transfer" GROUP BY exchange, simulated, quote;
