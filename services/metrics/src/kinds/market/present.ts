import { type DashboardPart, type KindGauge, snapshotItem } from '../kind';
import { latestBySymbol, watchedSymbols } from '../latest-by-symbol';
import { MARKET_TABLE } from './columns';

export const MARKET_ON_DASHBOARD: DashboardPart = {
  field: 'markets',
  item: snapshotItem,
  latest: async (resources, exchange) =>
    latestBySymbol(resources, MARKET_TABLE, exchange, await watchedSymbols(resources, exchange)),
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
