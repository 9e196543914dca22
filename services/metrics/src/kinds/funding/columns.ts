import { columnMeasures, type HistoryTable } from '../kind';

export const FUNDING_TABLE: HistoryTable = {
  name: 'funding',
  table: 'funding_snapshot',
  time: 'captured_at',
  key: 't.symbol',
  filters: ['symbol'],
  ofKey: { symbol: 'key' },
  decimals: ['rate', 'mark_price', 'index_price'],
  measures: columnMeasures('rate', 'mark_price', 'index_price'),
  presence: ['rate'],
  ofSeries: () => 't.symbol = $1',
  named: (symbol) => ({ symbol }),
};
