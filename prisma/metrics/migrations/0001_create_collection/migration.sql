-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "collection" (
    "id" BIGSERIAL NOT NULL,
    "collection_id" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "trigger_time" TIMESTAMPTZ(3),
    "correlation_id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "duration_ms" INTEGER,
    "data_points" INTEGER NOT NULL DEFAULT 0,
    "storage_status" TEXT NOT NULL DEFAULT 'pending',
    "dashboard_updated" BOOLEAN NOT NULL DEFAULT false,
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "request_hash" TEXT NOT NULL,
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "components" JSONB,
    "answer" TEXT,
    "error" TEXT,

    CONSTRAINT "collection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "balance_snapshot" (
    "id" BIGSERIAL NOT NULL,
    "collection_ref" BIGINT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "source_time" TIMESTAMPTZ(3),
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "total_row" BOOLEAN NOT NULL,
    "account_type" TEXT NOT NULL,
    "asset" TEXT,
    "free" DECIMAL(38,18),
    "used" DECIMAL(38,18),
    "total" DECIMAL(38,18),
    "price_in_quote" DECIMAL(38,18),
    "value_in_quote" DECIMAL(38,18),
    "price_source" TEXT,
    "quote" TEXT NOT NULL,
    "total_equity" DECIMAL(38,18),
    "quote_free" DECIMAL(38,18),
    "equity_complete" BOOLEAN,
    "unpriced_assets" TEXT[],

    CONSTRAINT "balance_snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "market_snapshot" (
    "id" BIGSERIAL NOT NULL,
    "collection_ref" BIGINT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "source_time" TIMESTAMPTZ(3),
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "symbol" TEXT NOT NULL,
    "last" DECIMAL(38,18) NOT NULL,
    "bid" DECIMAL(38,18) NOT NULL,
    "ask" DECIMAL(38,18) NOT NULL,
    "mid" DECIMAL(38,18) NOT NULL,
    "spread_abs" DECIMAL(38,18) NOT NULL,
    "spread_bps" DOUBLE PRECISION NOT NULL,
    "open_24h" DECIMAL(38,18),
    "high_24h" DECIMAL(38,18),
    "low_24h" DECIMAL(38,18),
    "change_pct_24h" DOUBLE PRECISION,
    "base_volume_24h" DECIMAL(38,18),
    "quote_volume_24h" DECIMAL(38,18),
    "candle" JSONB,

    CONSTRAINT "market_snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "grid_snapshot" (
    "id" BIGSERIAL NOT NULL,
    "collection_ref" BIGINT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "source_time" TIMESTAMPTZ(3),
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "grid_id" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "mark_price" DECIMAL(38,18) NOT NULL,
    "levels_total" INTEGER NOT NULL,
    "levels_by_state" JSONB NOT NULL,
    "expected_orders" INTEGER NOT NULL,
    "open_buy_orders" INTEGER NOT NULL,
    "open_sell_orders" INTEGER NOT NULL,
    "missing_orders" INTEGER NOT NULL,
    "unknown_orders" INTEGER NOT NULL,
    "filled_buys" INTEGER NOT NULL,
    "filled_sells" INTEGER NOT NULL,
    "round_trips" INTEGER NOT NULL,
    "bought_quote" DECIMAL(38,18) NOT NULL,
    "sold_quote" DECIMAL(38,18) NOT NULL,
    "fees_quote" DECIMAL(38,18) NOT NULL,
    "fees_unpriced" JSONB NOT NULL,
    "inventory_base" DECIMAL(38,18) NOT NULL,
    "avg_cost" DECIMAL(38,18),
    "realised_pnl" DECIMAL(38,18),
    "unrealised_pnl" DECIMAL(38,18),
    "total_pnl" DECIMAL(38,18),
    "pnl_pct" DOUBLE PRECISION,
    "range_position" DOUBLE PRECISION NOT NULL,
    "out_of_range" TEXT NOT NULL,
    "out_of_range_since" TIMESTAMPTZ(3),
    "last_fill_at" TIMESTAMPTZ(3),
    "trades_watermark" TIMESTAMPTZ(3) NOT NULL,
    "levels" JSONB NOT NULL,
    "warnings" TEXT[],

    CONSTRAINT "grid_snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "regime_snapshot" (
    "id" BIGSERIAL NOT NULL,
    "collection_ref" BIGINT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "source_time" TIMESTAMPTZ(3),
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "stale" BOOLEAN NOT NULL,
    "symbol" TEXT NOT NULL,
    "timeframe" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "confirmed_label" TEXT,
    "confidence" DOUBLE PRECISION NOT NULL,
    "score_trend" DOUBLE PRECISION,
    "score_range" DOUBLE PRECISION,
    "score_volatility" DOUBLE PRECISION,
    "indicators" JSONB NOT NULL,
    "candles_used" INTEGER NOT NULL,
    "last_candle_at" TIMESTAMPTZ(3),
    "algorithm_version" TEXT NOT NULL,
    "reasons" TEXT[],

    CONSTRAINT "regime_snapshot_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "regime_state" (
    "exchange" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "timeframe" TEXT NOT NULL,
    "confirmed_label" TEXT,
    "candidate_label" TEXT NOT NULL,
    "candidate_count" INTEGER NOT NULL,
    "last_candle_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "regime_state_pkey" PRIMARY KEY ("exchange","symbol","timeframe")
);

-- CreateTable
CREATE TABLE "ohlcv_candle" (
    "exchange" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "timeframe" TEXT NOT NULL,
    "open_time" TIMESTAMPTZ(3) NOT NULL,
    "open" DECIMAL(38,18) NOT NULL,
    "high" DECIMAL(38,18) NOT NULL,
    "low" DECIMAL(38,18) NOT NULL,
    "close" DECIMAL(38,18) NOT NULL,
    "volume" DECIMAL(38,18) NOT NULL,

    CONSTRAINT "ohlcv_candle_pkey" PRIMARY KEY ("exchange","symbol","timeframe","open_time")
);

-- CreateTable
CREATE TABLE "grid" (
    "grid_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "symbol" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "spacing" TEXT NOT NULL,
    "lower_price" DECIMAL(38,18) NOT NULL,
    "upper_price" DECIMAL(38,18) NOT NULL,
    "grid_count" INTEGER NOT NULL,
    "order_amount" DECIMAL(38,18) NOT NULL,
    "total_quote" DECIMAL(38,18),
    "fee_rate" DECIMAL(38,18) NOT NULL,
    "tick_size" DECIMAL(38,18) NOT NULL,
    "client_order_prefix" TEXT NOT NULL,
    "levels" TEXT[],
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ledger" JSONB NOT NULL,
    "trades_watermark" TIMESTAMPTZ(3) NOT NULL,
    "out_of_range_since" TIMESTAMPTZ(3),

    CONSTRAINT "grid_pkey" PRIMARY KEY ("grid_id")
);

-- CreateTable
CREATE TABLE "trade" (
    "id" BIGSERIAL NOT NULL,
    "exchange" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "trade_id" TEXT NOT NULL,
    "grid_id" TEXT NOT NULL,
    "order_id" TEXT,
    "client_order_id" TEXT,
    "side" TEXT NOT NULL,
    "price" DECIMAL(38,18) NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "fee" DECIMAL(38,18) NOT NULL,
    "fee_asset" TEXT,
    "traded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trade_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sim_book" (
    "grid_id" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "fee_rate" DECIMAL(38,18) NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "prefix" TEXT NOT NULL,
    "levels" TEXT[],
    "advanced_to" TIMESTAMPTZ(3) NOT NULL,
    "sequence" INTEGER NOT NULL,

    CONSTRAINT "sim_book_pkey" PRIMARY KEY ("grid_id")
);

-- CreateTable
CREATE TABLE "sim_order" (
    "order_id" TEXT NOT NULL,
    "grid_id" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "level" INTEGER NOT NULL,
    "side" TEXT NOT NULL,
    "price" DECIMAL(38,18) NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "status" TEXT NOT NULL,
    "placed_at" TIMESTAMPTZ(3) NOT NULL,
    "filled_at" TIMESTAMPTZ(3),

    CONSTRAINT "sim_order_pkey" PRIMARY KEY ("order_id")
);

-- CreateTable
CREATE TABLE "sim_trade" (
    "trade_id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "price" DECIMAL(38,18) NOT NULL,
    "amount" DECIMAL(38,18) NOT NULL,
    "fee" DECIMAL(38,18) NOT NULL,
    "fee_asset" TEXT NOT NULL,
    "traded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sim_trade_pkey" PRIMARY KEY ("trade_id")
);

-- CreateTable
CREATE TABLE "series" (
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,

    CONSTRAINT "series_pkey" PRIMARY KEY ("kind","key","exchange","simulated")
);

-- CreateTable
CREATE TABLE "rollup_hour" (
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "exchange" TEXT NOT NULL,
    "simulated" BOOLEAN NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "samples" INTEGER NOT NULL,
    "sum" DECIMAL(44,18) NOT NULL,
    "min" DECIMAL(38,18) NOT NULL,
    "max" DECIMAL(38,18) NOT NULL,
    "first" DECIMAL(38,18) NOT NULL,
    "last" DECIMAL(38,18) NOT NULL,

    CONSTRAINT "rollup_hour_pkey" PRIMARY KEY ("kind","key","metric","exchange","simulated","hour")
);

-- CreateTable
CREATE TABLE "rollup_progress" (
    "kind" TEXT NOT NULL,
    "complete_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollup_progress_pkey" PRIMARY KEY ("kind")
);

-- CreateTable
CREATE TABLE "dashboard_state" (
    "id" INTEGER NOT NULL,
    "collection_id" TEXT NOT NULL,
    "captured_at" TIMESTAMPTZ(3) NOT NULL,
    "state" JSONB NOT NULL,

    CONSTRAINT "dashboard_state_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "collection_collection_id_key" ON "collection"("collection_id");

-- CreateIndex
CREATE INDEX "collection_started_at_id_idx" ON "collection"("started_at", "id");

-- CreateIndex
CREATE INDEX "collection_status_lease_until_idx" ON "collection"("status", "lease_until");

-- CreateIndex
CREATE INDEX "balance_snapshot_collection_ref_idx" ON "balance_snapshot"("collection_ref");

-- CreateIndex
CREATE INDEX "balance_snapshot_captured_at_id_idx" ON "balance_snapshot"("captured_at", "id");

-- CreateIndex
CREATE INDEX "balance_snapshot_asset_captured_at_id_idx" ON "balance_snapshot"("asset", "captured_at", "id");

-- CreateIndex
CREATE INDEX "market_snapshot_collection_ref_idx" ON "market_snapshot"("collection_ref");

-- CreateIndex
CREATE INDEX "market_snapshot_captured_at_id_idx" ON "market_snapshot"("captured_at", "id");

-- CreateIndex
CREATE INDEX "market_snapshot_symbol_captured_at_id_idx" ON "market_snapshot"("symbol", "captured_at", "id");

-- CreateIndex
CREATE INDEX "grid_snapshot_collection_ref_idx" ON "grid_snapshot"("collection_ref");

-- CreateIndex
CREATE INDEX "grid_snapshot_captured_at_id_idx" ON "grid_snapshot"("captured_at", "id");

-- CreateIndex
CREATE INDEX "grid_snapshot_grid_id_captured_at_id_idx" ON "grid_snapshot"("grid_id", "captured_at", "id");

-- CreateIndex
CREATE INDEX "grid_snapshot_symbol_captured_at_id_idx" ON "grid_snapshot"("symbol", "captured_at", "id");

-- CreateIndex
CREATE INDEX "regime_snapshot_collection_ref_idx" ON "regime_snapshot"("collection_ref");

-- CreateIndex
CREATE INDEX "regime_snapshot_captured_at_id_idx" ON "regime_snapshot"("captured_at", "id");

-- CreateIndex
CREATE INDEX "regime_snapshot_symbol_captured_at_id_idx" ON "regime_snapshot"("symbol", "captured_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "grid_client_order_prefix_key" ON "grid"("client_order_prefix");

-- CreateIndex
CREATE INDEX "grid_status_exchange_idx" ON "grid"("status", "exchange");

-- CreateIndex
CREATE INDEX "trade_grid_id_traded_at_idx" ON "trade"("grid_id", "traded_at");

-- CreateIndex
CREATE UNIQUE INDEX "trade_exchange_symbol_trade_id_key" ON "trade"("exchange", "symbol", "trade_id");

-- CreateIndex
CREATE INDEX "sim_book_symbol_idx" ON "sim_book"("symbol");

-- CreateIndex
CREATE INDEX "sim_order_symbol_status_idx" ON "sim_order"("symbol", "status");

-- CreateIndex
CREATE INDEX "sim_order_grid_id_status_idx" ON "sim_order"("grid_id", "status");

-- CreateIndex
CREATE INDEX "sim_trade_symbol_traded_at_trade_id_idx" ON "sim_trade"("symbol", "traded_at", "trade_id");

-- CreateIndex
CREATE INDEX "rollup_hour_kind_hour_idx" ON "rollup_hour"("kind", "hour");

-- AddForeignKey
ALTER TABLE "balance_snapshot" ADD CONSTRAINT "balance_snapshot_collection_ref_fkey" FOREIGN KEY ("collection_ref") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "market_snapshot" ADD CONSTRAINT "market_snapshot_collection_ref_fkey" FOREIGN KEY ("collection_ref") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "grid_snapshot" ADD CONSTRAINT "grid_snapshot_collection_ref_fkey" FOREIGN KEY ("collection_ref") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "regime_snapshot" ADD CONSTRAINT "regime_snapshot_collection_ref_fkey" FOREIGN KEY ("collection_ref") REFERENCES "collection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trade" ADD CONSTRAINT "trade_grid_id_fkey" FOREIGN KEY ("grid_id") REFERENCES "grid"("grid_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A name may be used again once its grid is stopped; the schema language has no words for this.
CREATE UNIQUE INDEX "grid_active_name_key" ON "grid"("name") WHERE "status" <> 'stopped';
