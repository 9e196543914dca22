import type { Pool } from '@switchyard/db';

export const BATCH = 500;

export async function deleteBatches(pool: Pool, statement: string, limit: Date): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { rowCount } = await pool.query(statement, [limit]);
    deleted += rowCount ?? 0;
    if ((rowCount ?? 0) < BATCH) return deleted;
  }
}

export const noteDeletedFills = (deletion: string, more = '') => `
  WITH deleted AS (
    ${deletion} RETURNING exchange, symbol, order_id, traded_at
  ), noted AS (
    INSERT INTO deleted_fills AS known (exchange, until) SELECT exchange, max(traded_at) FROM deleted GROUP BY exchange
    ON CONFLICT (exchange) DO UPDATE SET until = greatest(known.until, excluded.until)
  ) ${more}
  SELECT 1 FROM deleted`;
