import { inSqlTransaction } from '@switchyard/db';
import type { Resources } from '../../../resources';
import { lockGrid } from '../requests/find-grid';

/**
 * Moves the start of each grid's books to the last checkpoint before `limit`, so that older fills
 * can be deleted. Skips checkpoints with fees that still need a price.
 */
export async function moveBase({ db }: Pick<Resources, 'db'>, limit: Date): Promise<void> {
  const { rows } = await db.pool.query<{ grid_id: string }>(MOVABLE, [limit]);
  for (const { grid_id: gridId } of rows) {
    await inSqlTransaction(db.pool, async (tx) => {
      await lockGrid(tx, gridId);
      await tx.query(MOVE, [limit, gridId]);
    });
  }
}

// A collection reads the fills before the watermark again, and must not count them twice.
const MOVABLE = `
  SELECT g.grid_id, last.books FROM grid g CROSS JOIN LATERAL (
    SELECT t.books FROM trade t WHERE t.grid_id = g.grid_id AND t.books->'feesUnpriced' = '{}'
      AND t.traded_at >= coalesce(g.rebased_at, '-infinity')
      AND t.traded_at > coalesce((g.base_books->>'lastFillAt')::timestamptz, '-infinity')
      AND t.traded_at < CASE g.status WHEN 'stopped' THEN $1 ELSE least($1, g.trades_watermark - interval '1 hour') END
    ORDER BY t.traded_at DESC LIMIT 1
  ) AS last`;

const MOVE = `
  UPDATE grid SET base_books = movable.books FROM (${MOVABLE}) AS movable
  WHERE grid.grid_id = movable.grid_id AND grid.grid_id = $2`;
