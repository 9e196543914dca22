import { moveBase } from '../kinds/grid/books/move-base';
import type { Resources } from '../resources';

const BATCH = 500;
const DAY = 86_400_000;

/**
 * Deletes collections older than the configured number of days, with their snapshots, in small
 * transactions. Skips rows that are not rolled up yet, because roll-ups replace the deleted rows.
 */
export async function deleteOld({ config, clock, db }: Resources): Promise<number> {
  if (config.retentionDays === 0) return 0;
  const limit = new Date(clock.now().getTime() - config.retentionDays * DAY);
  const inBatches = async (statement: string) => {
    let deleted = 0;
    for (;;) {
      const { rowCount } = await db.pool.query(statement, [limit]);
      deleted += rowCount ?? 0;
      if ((rowCount ?? 0) < BATCH) return deleted;
    }
  };
  const deleted = await inBatches(COLLECTIONS);
  await inBatches(ACCOUNT_FILLS);
  await moveBase({ db }, limit);
  await inBatches(GRID_FILLS);
  await db.pool.query(
    "DELETE FROM ohlcv_candle WHERE open_time < least($1::timestamptz, now() - interval '400 days')",
    [limit],
  );
  return deleted;
}

const COLLECTIONS = `DELETE FROM collection WHERE id IN (
  SELECT id FROM collection
  WHERE status <> 'running' AND started_at < least($1::timestamptz, coalesce(
    (SELECT min(complete_until) FROM rollup_progress), '-infinity'::timestamptz))
  ORDER BY started_at, id LIMIT ${BATCH})`;

const noting = (deletion: string, more = '') => `WITH deleted AS (
    ${deletion} RETURNING exchange, symbol, order_id, traded_at
  ), noted AS (
    INSERT INTO deleted_fills AS known (exchange, until) SELECT exchange, max(traded_at) FROM deleted GROUP BY exchange
    ON CONFLICT (exchange) DO UPDATE SET until = greatest(known.until, excluded.until)
  ) ${more}
  SELECT 1 FROM deleted`;

/** Keeps the fills that the next comparison reads again, so that it does not count them twice. */
const ACCOUNT_FILLS = noting(`
    DELETE FROM account_fill WHERE (exchange, symbol, trade_id) IN (
      SELECT f.exchange, f.symbol, f.trade_id
      FROM (SELECT exchange, min(read_until) AS read_until FROM reconciliation GROUP BY exchange) AS books
      JOIN account_fill f ON f.exchange = books.exchange
        AND f.traded_at < least($1::timestamptz, books.read_until - interval '1 hour')
      ORDER BY f.exchange, f.traded_at LIMIT ${BATCH})`);

/** Keeps the fills of orders that may fill further, because their sum must explain the order. */
const GRID_FILLS = noting(
  `DELETE FROM trade WHERE id IN (
      SELECT t.id FROM grid g JOIN trade t ON t.grid_id = g.grid_id
        AND t.traded_at <= least($1::timestamptz, (g.base_books->>'lastFillAt')::timestamptz)
      WHERE g.base_books IS NOT NULL AND NOT EXISTS (SELECT 1 FROM exchange_order o
        WHERE o.exchange = t.exchange AND o.symbol = t.symbol AND o.order_id = t.order_id AND o.is_open)
      LIMIT ${BATCH})`,
  `, orders AS (
    DELETE FROM exchange_order o USING deleted d
    WHERE o.exchange = d.exchange AND o.symbol = d.symbol AND o.order_id = d.order_id
  )`,
);
