CREATE TABLE "account_fill" (
  "exchange" TEXT NOT NULL,
  "symbol" TEXT NOT NULL,
  "trade_id" TEXT NOT NULL,
  "order_id" TEXT,
  "side" TEXT NOT NULL,
  "price" DECIMAL(38,18) NOT NULL,
  "amount" DECIMAL(38,18) NOT NULL,
  "fee" DECIMAL(38,18) NOT NULL,
  "fee_asset" TEXT,
  "traded_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "account_fill_pkey" PRIMARY KEY ("exchange", "symbol", "trade_id")
);

CREATE INDEX "account_fill_exchange_traded_at_idx" ON "account_fill"("exchange", "traded_at");

CREATE TABLE "reconciliation" (
  "exchange" TEXT NOT NULL,
  "simulated" BOOLEAN NOT NULL,
  "asset" TEXT NOT NULL,
  "opened_at" TIMESTAMPTZ(3) NOT NULL,
  "opened_until" TIMESTAMPTZ(3) NOT NULL,
  "checked_at" TIMESTAMPTZ(3) NOT NULL,
  "read_until" TIMESTAMPTZ(3) NOT NULL,
  "opening" DECIMAL(38,18) NOT NULL,
  "traded" DECIMAL(38,18) NOT NULL DEFAULT 0,
  "fees" DECIMAL(38,18) NOT NULL DEFAULT 0,
  "transferred" DECIMAL(38,18) NOT NULL DEFAULT 0,
  "transferred_before" DECIMAL(38,18) NOT NULL DEFAULT 0,
  "transfers_known" BOOLEAN NOT NULL,
  "rounding" DECIMAL(38,18) NOT NULL DEFAULT 0,
  "balance" DECIMAL(38,18) NOT NULL,
  "unexplained" DECIMAL(38,18) NOT NULL DEFAULT 0,
  "unexplained_since" TIMESTAMPTZ(3),
  CONSTRAINT "reconciliation_pkey" PRIMARY KEY ("exchange", "simulated", "asset")
);
