import type { Pool } from '@switchyard/db';

export interface Total {
  exchange: string;
  collection_ref: string;
  captured_at: Date;
  quote: string;
  stale: boolean;
  equity: string | null;
}

export const NEWEST_TOTALS = `
  SELECT last.* FROM unnest($1::text[]) AS wanted (exchange) CROSS JOIN LATERAL (
    SELECT t.exchange, t.collection_ref::text, t.captured_at, t.quote, t.stale, t.total_equity::text AS equity
    FROM balance_snapshot t WHERE t.asset IS NULL AND t.exchange = wanted.exchange
    ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
  ) AS last`;

export async function newestTotals(pool: Pool, names: readonly string[]): Promise<Total[]> {
  return (await pool.query<Total>(NEWEST_TOTALS, [names])).rows;
}
