import type { Resources } from '../resources';
import { collectionIdSql, type HistoryTable, type Row } from './kind';
import { createPresenter } from './present-item';

export async function watchedSymbols(
  { config, db }: Resources,
  exchange: string,
): Promise<string[]> {
  const { rows } = await db.pool.query<{ symbol: string }>(
    "SELECT DISTINCT symbol FROM grid WHERE status = 'active' AND exchange = $1 ORDER BY symbol",
    [exchange],
  );
  return [...new Set([...config.symbols, ...rows.map(({ symbol }) => symbol)])];
}

export async function latestBySymbol(
  { db }: Resources,
  table: HistoryTable,
  exchange: string,
  symbols: readonly string[],
  condition = 'true',
): Promise<Row[]> {
  const { rows } = await db.pool.query<Row>(
    `SELECT r.*${collectionIdSql(table, 'r')}
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (symbol, place) CROSS JOIN LATERAL (
       SELECT * FROM ${table.table} t WHERE t.symbol = wanted.symbol AND t.exchange = $2 AND ${condition}
         -- An account that never collected the symbol would read the rows of all others.
         AND EXISTS (SELECT 1 FROM series WHERE kind = $3 AND exchange = $2 AND ${table.ofKey.symbol} = wanted.symbol)
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) r ORDER BY wanted.place`,
    [symbols, exchange, table.name],
  );
  return rows.map(createPresenter(table));
}
