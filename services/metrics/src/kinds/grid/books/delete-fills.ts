import { inSqlTransaction } from '@switchyard/db';
import type { Resources } from '../../../resources';
import { BATCH, deleteBatches, noteDeletedFills } from '../../delete-batches';
import { lockGrid } from '../requests/find-grid';

/**
 * Moves the start of each grid's books to the last checkpoint before `limit`, and deletes the fills
 * up to it. Skips checkpoints with fees that still need a price, and fills that a collection reads
 * again.
 */
export async function deleteFills({ db }: Resources, limit: Date): Promise<void> {
  const { rows } = await db.pool.query<{ grid_id: string }>(MOVABLE, [limit]);
  for (const { grid_id: gridId } of rows) {
    await inSqlTransaction(db.pool, async (tx) => {
      await lockGrid(tx, gridId);
      await tx.query(MOVE, [limit, gridId]);
    });
  }
  await deleteBatches(db.pool, FILLS, limit);
}

const MOVABLE = `
  SELECT g.grid_id, last.books FROM grid g CROSS JOIN LATERAL (
    SELECT t.books FROM trade t WHERE t.grid_id = g.grid_id AND t.books->'feesUnpriced' = '{}'
      AND t.traded_at >= coalesce(g.rebased_at, '-infinity')
      AND t.traded_at > coalesce(g.fills_deleted_until, '-infinity')
      AND t.traded_at < CASE g.status WHEN 'stopped' THEN $1 ELSE least($1, g.trades_watermark - interval '1 hour') END
    ORDER BY t.traded_at DESC LIMIT 1
  ) AS last`;

const MOVE = `
  UPDATE grid SET base_books = movable.books, fills_deleted_until = (movable.books->>'lastFillAt')::timestamptz
  FROM (${MOVABLE}) AS movable
  WHERE grid.grid_id = movable.grid_id AND grid.grid_id = $2`;

/** Keeps the fills of orders that may fill further, because their sum must explain the order. */
const FILLS = noteDeletedFills(
  `DELETE FROM trade WHERE id IN (
      SELECT t.id FROM grid g JOIN trade t ON t.grid_id = g.grid_id
        AND t.traded_at <= least($1::timestamptz, g.fills_deleted_until)
      WHERE g.base_books IS NOT NULL AND NOT EXISTS (SELECT 1 FROM exchange_order o
        WHERE o.exchange = t.exchange AND o.symbol = t.symbol AND o.order_id = t.order_id AND o.is_open)
      LIMIT ${BATCH})`,
  `, orders AS (
    DELETE FROM exchange_order o USING deleted d
    WHERE o.exchange = d.exchange AND o.symbol = d.symbol AND o.order_id = d.order_id
  )`,
);
