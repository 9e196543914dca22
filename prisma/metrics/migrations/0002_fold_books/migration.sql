-- lock: three nullable columns are catalogue changes and take milliseconds
ALTER TABLE "trade"
  ADD COLUMN "fee_price" DECIMAL(38,18),
  ADD COLUMN "order_price" DECIMAL(38,18),
  ADD COLUMN "books" JSONB;

-- lock: a nullable column is a catalogue change and takes milliseconds
ALTER TABLE "exchange_order" ADD COLUMN "price" DECIMAL(38,18);

-- The ledger holds the fees in other assets at the price of their day; books that are worked out again must too. Each
-- asset of a grid gets its average price; several assets share the sum equally. Fees without a price are those of the
-- fills that were stored last. The fills of such grids are locked while this runs: seconds for a million.
WITH paid AS (
  SELECT t.id, t.grid_id, t.fee_asset, t.fee,
    sum(t.fee) OVER (PARTITION BY t.grid_id, t.fee_asset ORDER BY t.id DESC)
      > coalesce((g.ledger->'feesUnpriced'->>t.fee_asset)::numeric, 0) AS is_priced
  FROM trade t JOIN grid g USING (grid_id)
  WHERE t.fee <> 0 AND t.fee_asset <> ALL (string_to_array(g.symbol, '/'))
    AND (g.rebased_at IS NULL OR t.traded_at >= g.rebased_at)
), asset AS (
  SELECT grid_id, fee_asset, sum(fee) AS fees, count(*) OVER (PARTITION BY grid_id) AS assets
  FROM paid WHERE is_priced GROUP BY grid_id, fee_asset
), priced AS (
  SELECT asset.grid_id, asset.fee_asset, ((g.ledger->>'fees')::numeric - quote.fees) / asset.assets / asset.fees AS price
  FROM asset JOIN grid g USING (grid_id) CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.fee), 0) AS fees FROM trade t
    WHERE t.grid_id = g.grid_id AND t.fee_asset = split_part(g.symbol, '/', 2)
      AND (g.rebased_at IS NULL OR t.traded_at >= g.rebased_at)
  ) quote
  WHERE asset.fees <> 0
)
UPDATE trade SET fee_price = priced.price
FROM paid JOIN priced USING (grid_id, fee_asset)
WHERE trade.id = paid.id AND paid.is_priced AND priced.price > 0;
