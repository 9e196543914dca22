import type { MetricsDatabase } from '@switchyard/db';
import { collectionIdSql, type HistoryTable, type Row } from './kind';
import { createPresenter } from './present-item';

export async function latestBySymbol(
  { pool }: MetricsDatabase,
  table: HistoryTable,
  exchange: string,
  symbols: readonly string[],
  condition = 'true',
): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `SELECT r.*${collectionIdSql(table, 'r')}
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (symbol, place) CROSS JOIN LATERAL (
       SELECT * FROM ${table.table} t WHERE t.symbol = wanted.symbol AND t.exchange = $2 AND ${condition}
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) r ORDER BY wanted.place`,
    [symbols, exchange],
  );
  return rows.map(createPresenter(table));
}
