import { columnMeasures, type HistoryTable } from '../kind';

export const REGIME_TABLE: HistoryTable = {
  name: 'regime',
  table: 'regime_snapshot',
  time: 'captured_at',
  key: 't.symbol',
  filters: ['symbol'],
  decimals: [],
  measures: columnMeasures('confidence', 'score_trend', 'score_range', 'score_volatility'),
  presence: ['confidence'],
  label: 'label',
  ofSeries: () => 't.symbol = $1',
  named: (symbol) => ({ symbol }),
};
