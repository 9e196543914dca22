import type { Registry } from 'prom-client';
import { createGauge } from '../../create-gauge';
import { type DashboardPart, type KindGauges, snapshotItem } from '../kind';
import { latestBySymbol } from '../latest-by-symbol';
import { MARKET_TABLE } from './columns';

export const MARKET_ON_DASHBOARD: DashboardPart = {
  field: 'markets',
  item: snapshotItem,
  latest: async ({ config, db }, exchange) => {
    const { rows } = await db.pool.query<{ symbol: string }>(
      'SELECT symbol FROM grid WHERE exchange = $1 ORDER BY created_at, grid_id',
      [exchange],
    );
    const symbols = new Set([...config.symbols, ...rows.map(({ symbol }) => symbol)]);
    return latestBySymbol(db, MARKET_TABLE, exchange, [...symbols]);
  },
};

interface Price {
  symbol: string;
  last: string;
  spread_bps: number;
}

export function marketGauges(registry: Registry): KindGauges {
  const last = createGauge(registry, 'market_last_price', 'Last price.', ['symbol']);
  const spread = createGauge(
    registry,
    'market_spread_bps',
    'Spread in basis points of the middle.',
    ['symbol'],
  );
  return {
    all: [last, spread],
    select: `
      SELECT json_agg(json_build_object('symbol', symbol, 'last', last::text, 'spread_bps', spread_bps))
      FROM market_snapshot JOIN shown ON collection_ref = shown.id AND market_snapshot.exchange = shown.owner`,
    show: (rows: Price[], of) => {
      for (const row of rows) {
        last.set({ ...of, symbol: row.symbol }, Number(row.last));
        spread.set({ ...of, symbol: row.symbol }, row.spread_bps);
      }
    },
  };
}
