import type { Context } from '../context';
import { collectionIdSql, KINDS } from '../history/kinds';
import { presentItem, type Row } from '../history/present-item';

async function latestOf(
  { db }: Context,
  kind: 'market' | 'regime',
  exchange: string,
  symbols: readonly string[],
): Promise<Row[]> {
  const { rows } = await db.pool.query<Row>(
    `SELECT r.*${collectionIdSql(kind, 'r')}
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (symbol, place) CROSS JOIN LATERAL (
       SELECT * FROM ${KINDS[kind].table} t WHERE t.symbol = wanted.symbol AND t.exchange = $2
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) r ORDER BY wanted.place`,
    [symbols, exchange],
  );
  return rows.map((row) => presentItem(kind, row));
}

/** The whole account as it was last seen: an asset that is gone since must not come back. */
async function latestBalances({ db }: Context, exchange: string): Promise<Row[]> {
  const { rows } = await db.pool.query<Row>(
    `SELECT r.*${collectionIdSql('balance', 'r')} FROM balance_snapshot r
     WHERE r.collection_ref = (
       SELECT t.collection_ref FROM balance_snapshot t WHERE t.asset IS NULL AND t.exchange = $1
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1)
     ORDER BY r.id`,
    [exchange],
  );
  return rows.map((row) => presentItem('balance', row));
}

/**
 * The newest of everything, each with its own time: while the exchange is away the last known values stay
 * in sight, as old as they are.
 */
export async function latestSnapshots(
  context: Context,
  exchange: string,
  gridSymbols: readonly string[],
) {
  const { symbols } = context.config;
  return {
    balances: await latestBalances(context, exchange),
    markets: await latestOf(context, 'market', exchange, [
      ...new Set([...symbols, ...gridSymbols]),
    ]),
    regimes: await latestOf(context, 'regime', exchange, symbols),
  };
}
