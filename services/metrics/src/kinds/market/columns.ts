import { columnMeasures, type HistoryTable } from '../kind';

export const MARKET_TABLE: HistoryTable = {
  name: 'market',
  table: 'market_snapshot',
  time: 'captured_at',
  key: 't.symbol',
  filters: ['symbol'],
  ofKey: { symbol: 'key' },
  decimals: [
    ...['last', 'bid', 'ask', 'mid', 'spread_abs', 'open_24h', 'high_24h', 'low_24h'],
    ...['base_volume_24h', 'quote_volume_24h'],
  ],
  measures: columnMeasures('last', 'bid', 'ask', 'mid', 'spread_bps'),
  presence: ['last'],
  ofSeries: () => 't.symbol = $1',
  named: (symbol) => ({ symbol }),
};
