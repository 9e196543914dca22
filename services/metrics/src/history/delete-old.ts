import { BATCH, deleteBatches, noteDeletedFills } from '../kinds/delete-batches';
import { KINDS } from '../kinds/kinds';
import type { Resources } from '../resources';

const DAY = 86_400_000;

/**
 * Deletes collections older than the configured number of days, with their snapshots, in small
 * transactions. Skips rows that are not rolled up yet, because roll-ups replace the deleted rows.
 */
export async function deleteOld(resources: Resources): Promise<number> {
  const { config, clock, db } = resources;
  if (config.retentionDays === 0) return 0;
  const limit = new Date(clock.now().getTime() - config.retentionDays * DAY);
  const deleted = await deleteBatches(db.pool, COLLECTIONS, limit);
  await deleteBatches(db.pool, FILLS, limit);
  for (const kind of KINDS) await kind.deleteOld?.(resources, limit);
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

/** Keeps the fills that the next comparison reads again, so that it does not count them twice. */
const FILLS = noteDeletedFills(`
    DELETE FROM account_fill WHERE (exchange, symbol, trade_id) IN (
      SELECT f.exchange, f.symbol, f.trade_id
      FROM (SELECT exchange, min(read_until) AS read_until FROM reconciliation GROUP BY exchange) AS books
      JOIN account_fill f ON f.exchange = books.exchange
        AND f.traded_at < least($1::timestamptz, books.read_until - interval '1 hour')
      ORDER BY f.exchange, f.traded_at LIMIT ${BATCH})`);
