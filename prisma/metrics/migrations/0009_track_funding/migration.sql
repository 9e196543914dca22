CREATE TABLE "funding_progress" (
  "exchange" TEXT NOT NULL,
  "symbol" TEXT NOT NULL,
  "read_until" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "funding_progress_pkey" PRIMARY KEY ("exchange", "symbol")
);
INSERT INTO "funding_progress" ("exchange", "symbol", "read_until")
SELECT exchange, symbol, max(paid_at) FROM "funding_payment" GROUP BY exchange, symbol;
