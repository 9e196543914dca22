import { type DashboardPart, type KindGauge, snapshotItem } from '../kind';
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

const labels = { symbol: 't.symbol' };

export const marketGauges: readonly KindGauge[] = [
  { name: 'market_last_price', help: 'Last price.', labels, value: 't.last' },
  {
    name: 'market_spread_bps',
    help: 'Spread in basis points of the mid price.',
    labels,
    value: 't.spread_bps',
  },
];
