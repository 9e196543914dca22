-- Tables, keys and indexes come from the Prisma schema (packages/db/bin/schema-sql.mjs), except the partial indexes and
-- the foreign keys of some snapshots, which the schema cannot express.

CREATE TABLE collection (
    id BIGSERIAL NOT NULL,
    collection_id TEXT NOT NULL,
    status TEXT NOT NULL,
    source TEXT NOT NULL,
    trigger_time TIMESTAMPTZ(3),
    correlation_id TEXT NOT NULL,
    started_at TIMESTAMPTZ(3) NOT NULL,
    finished_at TIMESTAMPTZ(3),
    lease_until TIMESTAMPTZ(3),
    duration_ms INTEGER,
    data_points INTEGER NOT NULL DEFAULT 0,
    storage_status TEXT NOT NULL DEFAULT 'pending',
    dashboard_updated BOOLEAN NOT NULL DEFAULT false,
    attempt INTEGER NOT NULL DEFAULT 1,
    request_hash TEXT NOT NULL,
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    components JSONB,
    answer TEXT,
    error TEXT,
    brought_data BOOLEAN NOT NULL DEFAULT false,
    CONSTRAINT collection_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX collection_collection_id_key ON collection(collection_id);
CREATE INDEX collection_started_at_id_idx ON collection(started_at, id);
CREATE INDEX collection_status_lease_until_idx ON collection(status, lease_until);
CREATE INDEX collection_brought_data ON collection(started_at DESC, id DESC) WHERE brought_data;

CREATE TABLE balance_snapshot (
    id BIGSERIAL NOT NULL,
    collection_ref BIGINT NOT NULL,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    source_time TIMESTAMPTZ(3),
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    stale BOOLEAN NOT NULL,
    total_row BOOLEAN NOT NULL,
    account_type TEXT NOT NULL,
    asset TEXT,
    free DECIMAL(38,18),
    used DECIMAL(38,18),
    total DECIMAL(38,18),
    price_in_quote DECIMAL(38,18),
    value_in_quote DECIMAL(38,18),
    price_source TEXT,
    quote TEXT NOT NULL,
    total_equity DECIMAL(38,18),
    quote_free DECIMAL(38,18),
    equity_complete BOOLEAN,
    unpriced_assets TEXT[],
    priced_equity DECIMAL(38,18),
    margin_equity DECIMAL(38,18),
    unrealised_pnl DECIMAL(38,18),
    margin_assets JSONB,
    CONSTRAINT balance_snapshot_pkey PRIMARY KEY (id)
);
CREATE INDEX balance_snapshot_collection_ref_idx ON balance_snapshot(collection_ref);
CREATE INDEX balance_snapshot_captured_at_id_idx ON balance_snapshot(captured_at, id);
CREATE INDEX balance_snapshot_asset_captured_at_id_idx ON balance_snapshot(asset, captured_at, id);
-- For the newest total of an account, and to find quickly that an account has none.
CREATE INDEX balance_snapshot_total ON balance_snapshot(exchange, captured_at DESC, id DESC) WHERE asset IS NULL;

CREATE TABLE transfer (
    id BIGSERIAL NOT NULL,
    collection_ref BIGINT,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    stale BOOLEAN NOT NULL,
    type TEXT NOT NULL,
    transfer_id TEXT NOT NULL,
    status TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    fee DECIMAL(38,18) NOT NULL,
    fee_asset TEXT,
    transferred_at TIMESTAMPTZ(3) NOT NULL,
    counted_at TIMESTAMPTZ(3) NOT NULL,
    quote TEXT NOT NULL,
    value_in_quote DECIMAL(38,18),
    fee_in_quote DECIMAL(38,18),
    CONSTRAINT transfer_pkey PRIMARY KEY (id)
);
CREATE INDEX transfer_collection_ref_idx ON transfer(collection_ref);
CREATE INDEX transfer_captured_at_id_idx ON transfer(captured_at, id);
CREATE INDEX transfer_asset_captured_at_id_idx ON transfer(asset, captured_at, id);
CREATE INDEX transfer_exchange_simulated_counted_at_idx ON transfer(exchange, simulated, counted_at);
CREATE UNIQUE INDEX transfer_exchange_simulated_type_transfer_id_key ON transfer(exchange, simulated, type, transfer_id);

CREATE TABLE transfer_progress (
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    watermark TIMESTAMPTZ(3) NOT NULL,
    known_from TIMESTAMPTZ(3) NOT NULL,
    known_until TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT transfer_progress_pkey PRIMARY KEY (exchange,simulated)
);

CREATE TABLE market_snapshot (
    id BIGSERIAL NOT NULL,
    collection_ref BIGINT NOT NULL,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    source_time TIMESTAMPTZ(3),
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    stale BOOLEAN NOT NULL,
    symbol TEXT NOT NULL,
    last DECIMAL(38,18) NOT NULL,
    bid DECIMAL(38,18) NOT NULL,
    ask DECIMAL(38,18) NOT NULL,
    mid DECIMAL(38,18) NOT NULL,
    spread_abs DECIMAL(38,18) NOT NULL,
    spread_bps DOUBLE PRECISION NOT NULL,
    open_24h DECIMAL(38,18),
    high_24h DECIMAL(38,18),
    low_24h DECIMAL(38,18),
    change_pct_24h DOUBLE PRECISION,
    base_volume_24h DECIMAL(38,18),
    quote_volume_24h DECIMAL(38,18),
    candle JSONB,
    CONSTRAINT market_snapshot_pkey PRIMARY KEY (id)
);
CREATE INDEX market_snapshot_collection_ref_idx ON market_snapshot(collection_ref);
CREATE INDEX market_snapshot_captured_at_id_idx ON market_snapshot(captured_at, id);
CREATE INDEX market_snapshot_symbol_captured_at_id_idx ON market_snapshot(symbol, captured_at, id);

CREATE TABLE grid_snapshot (
    id BIGSERIAL NOT NULL,
    collection_ref BIGINT NOT NULL,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    source_time TIMESTAMPTZ(3),
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    stale BOOLEAN NOT NULL,
    grid_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    status TEXT NOT NULL,
    mark_price DECIMAL(38,18) NOT NULL,
    levels_total INTEGER NOT NULL,
    levels_by_state JSONB NOT NULL,
    expected_orders INTEGER NOT NULL,
    open_buy_orders INTEGER NOT NULL,
    open_sell_orders INTEGER NOT NULL,
    missing_orders INTEGER NOT NULL,
    unknown_orders INTEGER NOT NULL,
    filled_buys INTEGER NOT NULL,
    filled_sells INTEGER NOT NULL,
    round_trips INTEGER NOT NULL,
    bought_quote DECIMAL(38,18) NOT NULL,
    sold_quote DECIMAL(38,18) NOT NULL,
    fees_quote DECIMAL(38,18) NOT NULL,
    fees_unpriced JSONB NOT NULL,
    inventory_base DECIMAL(38,18) NOT NULL,
    avg_cost DECIMAL(38,18),
    realised_pnl DECIMAL(38,18),
    unrealised_pnl DECIMAL(38,18),
    total_pnl DECIMAL(38,18),
    pnl_pct DOUBLE PRECISION,
    range_position DOUBLE PRECISION NOT NULL,
    out_of_range TEXT NOT NULL,
    out_of_range_since TIMESTAMPTZ(3),
    last_fill_at TIMESTAMPTZ(3),
    trades_watermark TIMESTAMPTZ(3) NOT NULL,
    levels JSONB NOT NULL,
    warnings TEXT[],
    fees_total DECIMAL(38,18) NOT NULL,
    grid_profit DECIMAL(38,18) NOT NULL,
    inventory_result DECIMAL(38,18),
    CONSTRAINT grid_snapshot_pkey PRIMARY KEY (id)
);
CREATE INDEX grid_snapshot_collection_ref_idx ON grid_snapshot(collection_ref);
CREATE INDEX grid_snapshot_captured_at_id_idx ON grid_snapshot(captured_at, id);
CREATE INDEX grid_snapshot_grid_id_captured_at_id_idx ON grid_snapshot(grid_id, captured_at, id);
CREATE INDEX grid_snapshot_symbol_captured_at_id_idx ON grid_snapshot(symbol, captured_at, id);

CREATE TABLE regime_snapshot (
    id BIGSERIAL NOT NULL,
    collection_ref BIGINT NOT NULL,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    source_time TIMESTAMPTZ(3),
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    stale BOOLEAN NOT NULL,
    symbol TEXT NOT NULL,
    timeframe TEXT NOT NULL,
    label TEXT NOT NULL,
    confirmed_label TEXT,
    confidence DOUBLE PRECISION NOT NULL,
    score_trend DOUBLE PRECISION,
    score_range DOUBLE PRECISION,
    score_volatility DOUBLE PRECISION,
    indicators JSONB NOT NULL,
    candles_used INTEGER NOT NULL,
    last_candle_at TIMESTAMPTZ(3),
    algorithm_version TEXT NOT NULL,
    reasons TEXT[],
    CONSTRAINT regime_snapshot_pkey PRIMARY KEY (id)
);
CREATE INDEX regime_snapshot_collection_ref_idx ON regime_snapshot(collection_ref);
CREATE INDEX regime_snapshot_captured_at_id_idx ON regime_snapshot(captured_at, id);
CREATE INDEX regime_snapshot_symbol_captured_at_id_idx ON regime_snapshot(symbol, captured_at, id);
CREATE INDEX regime_snapshot_symbol_timeframe_captured_at_id_idx ON regime_snapshot(symbol, timeframe, captured_at, id);

CREATE TABLE regime_state (
    exchange TEXT NOT NULL,
    symbol TEXT NOT NULL,
    timeframe TEXT NOT NULL,
    confirmed_label TEXT,
    candidate_label TEXT NOT NULL,
    candidate_count INTEGER NOT NULL,
    last_candle_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT regime_state_pkey PRIMARY KEY (exchange,symbol,timeframe)
);

CREATE TABLE ohlcv_candle (
    exchange TEXT NOT NULL,
    symbol TEXT NOT NULL,
    timeframe TEXT NOT NULL,
    open_time TIMESTAMPTZ(3) NOT NULL,
    open DECIMAL(38,18) NOT NULL,
    high DECIMAL(38,18) NOT NULL,
    low DECIMAL(38,18) NOT NULL,
    close DECIMAL(38,18) NOT NULL,
    volume DECIMAL(38,18) NOT NULL,
    CONSTRAINT ohlcv_candle_pkey PRIMARY KEY (exchange,symbol,timeframe,open_time)
);

CREATE TABLE grid (
    grid_id TEXT NOT NULL,
    name TEXT NOT NULL,
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    symbol TEXT NOT NULL,
    mode TEXT NOT NULL,
    spacing TEXT NOT NULL,
    lower_price DECIMAL(38,18) NOT NULL,
    upper_price DECIMAL(38,18) NOT NULL,
    grid_count INTEGER NOT NULL,
    order_amount DECIMAL(38,18) NOT NULL,
    total_quote DECIMAL(38,18),
    fee_rate DECIMAL(38,18) NOT NULL,
    tick_size DECIMAL(38,18) NOT NULL,
    client_order_prefix TEXT NOT NULL,
    levels TEXT[],
    status TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    ledger JSONB NOT NULL,
    trades_watermark TIMESTAMPTZ(3) NOT NULL,
    out_of_range_since TIMESTAMPTZ(3),
    stopped_at TIMESTAMPTZ(3),
    initial_base DECIMAL(38,18) NOT NULL DEFAULT 0,
    initial_cost DECIMAL(38,18) NOT NULL DEFAULT 0,
    rebased_at TIMESTAMPTZ(3),
    base_books JSONB,
    fills_deleted_until TIMESTAMPTZ(3),
    CONSTRAINT grid_pkey PRIMARY KEY (grid_id)
);
CREATE UNIQUE INDEX grid_client_order_prefix_key ON grid(client_order_prefix);
CREATE INDEX grid_status_exchange_idx ON grid(status, exchange);
-- A name may be used again once its grid is stopped.
CREATE UNIQUE INDEX grid_active_name_key ON grid(name) WHERE status <> 'stopped';

CREATE TABLE trade (
    id BIGSERIAL NOT NULL,
    exchange TEXT NOT NULL,
    symbol TEXT NOT NULL,
    trade_id TEXT NOT NULL,
    grid_id TEXT NOT NULL,
    order_id TEXT,
    client_order_id TEXT,
    side TEXT NOT NULL,
    price DECIMAL(38,18) NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    fee DECIMAL(38,18) NOT NULL,
    fee_asset TEXT,
    traded_at TIMESTAMPTZ(3) NOT NULL,
    fee_price DECIMAL(38,18),
    order_price DECIMAL(38,18),
    books JSONB,
    is_maker BOOLEAN,
    CONSTRAINT trade_pkey PRIMARY KEY (id)
);
CREATE INDEX trade_grid_id_traded_at_idx ON trade(grid_id, traded_at);
CREATE INDEX trade_grid_id_traded_at_id_idx ON trade(grid_id, traded_at, id);
CREATE INDEX trade_traded_at_id_idx ON trade(traded_at, id);
CREATE UNIQUE INDEX trade_exchange_symbol_trade_id_key ON trade(exchange, symbol, trade_id);

CREATE TABLE exchange_order (
    exchange TEXT NOT NULL,
    symbol TEXT NOT NULL,
    order_id TEXT NOT NULL,
    client_order_id TEXT,
    seen_at TIMESTAMPTZ(3) NOT NULL,
    price DECIMAL(38,18),
    amount DECIMAL(38,18),
    is_open BOOLEAN NOT NULL DEFAULT false,
    gone_at TIMESTAMPTZ(3),
    CONSTRAINT exchange_order_pkey PRIMARY KEY (exchange,symbol,order_id)
);
CREATE INDEX exchange_order_open ON exchange_order(exchange, symbol) WHERE is_open;

CREATE TABLE sim_book (
    grid_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    fee_rate DECIMAL(38,18) NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    prefix TEXT NOT NULL,
    levels TEXT[],
    advanced_to TIMESTAMPTZ(3) NOT NULL,
    sequence INTEGER NOT NULL,
    CONSTRAINT sim_book_pkey PRIMARY KEY (grid_id)
);
CREATE INDEX sim_book_symbol_idx ON sim_book(symbol);

CREATE TABLE sim_order (
    order_id TEXT NOT NULL,
    grid_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    level INTEGER NOT NULL,
    side TEXT NOT NULL,
    price DECIMAL(38,18) NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    status TEXT NOT NULL,
    placed_at TIMESTAMPTZ(3) NOT NULL,
    filled_at TIMESTAMPTZ(3),
    CONSTRAINT sim_order_pkey PRIMARY KEY (order_id)
);
CREATE INDEX sim_order_symbol_status_idx ON sim_order(symbol, status);
CREATE INDEX sim_order_grid_id_status_idx ON sim_order(grid_id, status);

CREATE TABLE sim_trade (
    trade_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    symbol TEXT NOT NULL,
    side TEXT NOT NULL,
    price DECIMAL(38,18) NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    fee DECIMAL(38,18) NOT NULL,
    fee_asset TEXT NOT NULL,
    traded_at TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT sim_trade_pkey PRIMARY KEY (trade_id)
);
CREATE INDEX sim_trade_symbol_traded_at_trade_id_idx ON sim_trade(symbol, traded_at, trade_id);

CREATE TABLE series (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    CONSTRAINT series_pkey PRIMARY KEY (kind,key,exchange,simulated)
);

CREATE TABLE rollup_hour (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    metric TEXT NOT NULL,
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    hour TIMESTAMPTZ(3) NOT NULL,
    samples INTEGER NOT NULL,
    sum DECIMAL(44,18) NOT NULL,
    min DECIMAL(38,18) NOT NULL,
    max DECIMAL(38,18) NOT NULL,
    first DECIMAL(38,18) NOT NULL,
    last DECIMAL(38,18) NOT NULL,
    CONSTRAINT rollup_hour_pkey PRIMARY KEY (kind,key,metric,exchange,simulated,hour)
);
CREATE INDEX rollup_hour_kind_hour_idx ON rollup_hour(kind, hour);

CREATE TABLE rollup_progress (
    kind TEXT NOT NULL,
    complete_until TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT rollup_progress_pkey PRIMARY KEY (kind)
);

CREATE TABLE component_state (
    component TEXT NOT NULL,
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    status TEXT NOT NULL,
    last_success_at TIMESTAMPTZ(3),
    CONSTRAINT component_state_pkey PRIMARY KEY (component,exchange,simulated)
);

CREATE TABLE dashboard_state (
    id INTEGER NOT NULL,
    collection_id TEXT NOT NULL,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    state JSONB NOT NULL,
    CONSTRAINT dashboard_state_pkey PRIMARY KEY (id)
);

CREATE TABLE funding_snapshot (
    id BIGSERIAL NOT NULL,
    collection_ref BIGINT NOT NULL,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    source_time TIMESTAMPTZ(3),
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    stale BOOLEAN NOT NULL,
    symbol TEXT NOT NULL,
    rate DECIMAL(38,18) NOT NULL,
    mark_price DECIMAL(38,18),
    index_price DECIMAL(38,18),
    funding_at TIMESTAMPTZ(3),
    CONSTRAINT funding_snapshot_pkey PRIMARY KEY (id)
);
CREATE INDEX funding_snapshot_collection_ref_idx ON funding_snapshot(collection_ref);
CREATE INDEX funding_snapshot_captured_at_id_idx ON funding_snapshot(captured_at, id);
CREATE INDEX funding_snapshot_symbol_captured_at_id_idx ON funding_snapshot(symbol, captured_at, id);

CREATE TABLE position_snapshot (
    id BIGSERIAL NOT NULL,
    collection_ref BIGINT NOT NULL,
    captured_at TIMESTAMPTZ(3) NOT NULL,
    source_time TIMESTAMPTZ(3),
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    stale BOOLEAN NOT NULL,
    symbol TEXT NOT NULL,
    side TEXT NOT NULL,
    settle_asset TEXT NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    entry_price DECIMAL(38,18) NOT NULL,
    mark_price DECIMAL(38,18) NOT NULL,
    unrealised_pnl DECIMAL(38,18) NOT NULL,
    liquidation_price DECIMAL(38,18),
    initial_margin DECIMAL(38,18),
    maintenance_margin DECIMAL(38,18),
    leverage DECIMAL(38,18),
    margin_mode TEXT,
    value_in_quote DECIMAL(38,18),
    unrealised_in_quote DECIMAL(38,18),
    funding_received DECIMAL(38,18) NOT NULL,
    CONSTRAINT position_snapshot_pkey PRIMARY KEY (id)
);
CREATE INDEX position_snapshot_collection_ref_idx ON position_snapshot(collection_ref);
CREATE INDEX position_snapshot_captured_at_id_idx ON position_snapshot(captured_at, id);
CREATE INDEX position_snapshot_symbol_captured_at_id_idx ON position_snapshot(symbol, captured_at, id);

CREATE TABLE funding_payment (
    exchange TEXT NOT NULL,
    symbol TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    asset TEXT NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    paid_at TIMESTAMPTZ(3) NOT NULL,
    counted_at TIMESTAMPTZ(3) NOT NULL,
    id BIGSERIAL NOT NULL,
    quote TEXT,
    value_in_quote DECIMAL(38,18),
    CONSTRAINT funding_payment_pkey PRIMARY KEY (exchange,symbol,payment_id)
);
CREATE INDEX funding_payment_exchange_symbol_paid_at_idx ON funding_payment(exchange, symbol, paid_at);
CREATE INDEX funding_payment_paid_at_id_idx ON funding_payment(paid_at, id);

CREATE TABLE funding_progress (
    exchange TEXT NOT NULL,
    symbol TEXT NOT NULL,
    read_until TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT funding_progress_pkey PRIMARY KEY (exchange, symbol)
);

CREATE TABLE webhook_event (
    id BIGSERIAL NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    created_at TIMESTAMPTZ(3) NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_attempt_at TIMESTAMPTZ(3),
    delivered_at TIMESTAMPTZ(3),
    last_error TEXT,
    CONSTRAINT webhook_event_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX webhook_event_event_id_key ON webhook_event(event_id);
CREATE INDEX webhook_event_next_attempt_at_id_idx ON webhook_event(next_attempt_at, id);
CREATE INDEX webhook_event_created_at_idx ON webhook_event(created_at);
CREATE INDEX webhook_event_ended ON webhook_event(delivered_at) WHERE next_attempt_at IS NULL;

CREATE TABLE account_fill (
    exchange TEXT NOT NULL,
    symbol TEXT NOT NULL,
    trade_id TEXT NOT NULL,
    order_id TEXT,
    side TEXT NOT NULL,
    price DECIMAL(38,18) NOT NULL,
    amount DECIMAL(38,18) NOT NULL,
    fee DECIMAL(38,18) NOT NULL,
    fee_asset TEXT,
    traded_at TIMESTAMPTZ(3) NOT NULL,
    is_maker BOOLEAN,
    CONSTRAINT account_fill_pkey PRIMARY KEY (exchange, symbol, trade_id)
);
CREATE INDEX account_fill_exchange_traded_at_idx ON account_fill(exchange, traded_at);

CREATE TABLE reconciliation (
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    asset TEXT NOT NULL,
    opened_at TIMESTAMPTZ(3) NOT NULL,
    opened_until TIMESTAMPTZ(3) NOT NULL,
    checked_at TIMESTAMPTZ(3) NOT NULL,
    read_until TIMESTAMPTZ(3) NOT NULL,
    opening DECIMAL(38,18) NOT NULL,
    traded DECIMAL(38,18) NOT NULL DEFAULT 0,
    fees DECIMAL(38,18) NOT NULL DEFAULT 0,
    transferred DECIMAL(38,18) NOT NULL DEFAULT 0,
    transferred_before DECIMAL(38,18) NOT NULL DEFAULT 0,
    transfers_known BOOLEAN NOT NULL,
    rounding DECIMAL(38,18) NOT NULL DEFAULT 0,
    balance DECIMAL(38,18) NOT NULL,
    unexplained DECIMAL(38,18) NOT NULL DEFAULT 0,
    unexplained_since TIMESTAMPTZ(3),
    CONSTRAINT reconciliation_pkey PRIMARY KEY (exchange, simulated, asset)
);

CREATE TABLE transfer_total (
    exchange TEXT NOT NULL,
    simulated BOOLEAN NOT NULL,
    quote TEXT NOT NULL,
    value DECIMAL(38,18),
    CONSTRAINT transfer_total_pkey PRIMARY KEY (exchange, simulated, quote)
);

CREATE TABLE deleted_fills (
    exchange TEXT NOT NULL,
    until TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT deleted_fills_pkey PRIMARY KEY (exchange)
);

ALTER TABLE balance_snapshot ADD CONSTRAINT balance_snapshot_collection_ref_fkey
  FOREIGN KEY (collection_ref) REFERENCES collection(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE transfer ADD CONSTRAINT transfer_collection_ref_fkey
  FOREIGN KEY (collection_ref) REFERENCES collection(id) ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE market_snapshot ADD CONSTRAINT market_snapshot_collection_ref_fkey
  FOREIGN KEY (collection_ref) REFERENCES collection(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE grid_snapshot ADD CONSTRAINT grid_snapshot_collection_ref_fkey
  FOREIGN KEY (collection_ref) REFERENCES collection(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE regime_snapshot ADD CONSTRAINT regime_snapshot_collection_ref_fkey
  FOREIGN KEY (collection_ref) REFERENCES collection(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE trade ADD CONSTRAINT trade_grid_id_fkey
  FOREIGN KEY (grid_id) REFERENCES grid(grid_id) ON DELETE CASCADE ON UPDATE CASCADE;
-- Deletes snapshots with their collection. Written by hand, because the models have no relation to the collection.
ALTER TABLE funding_snapshot ADD CONSTRAINT funding_snapshot_collection_ref_fkey
  FOREIGN KEY (collection_ref) REFERENCES collection(id) ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE position_snapshot ADD CONSTRAINT position_snapshot_collection_ref_fkey
  FOREIGN KEY (collection_ref) REFERENCES collection(id) ON DELETE CASCADE ON UPDATE CASCADE;
