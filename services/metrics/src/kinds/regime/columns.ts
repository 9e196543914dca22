import { COLLECTED_TIMEFRAME } from '../../candles/timeframe';
import { columnMeasures, type HistoryTable } from '../kind';

export const regimeKey = (symbol: string, timeframe: string): string =>
  timeframe === COLLECTED_TIMEFRAME ? symbol : `${symbol} ${timeframe}`;

const symbolOf = (key: string) => `split_part(${key}, ' ', 1)`;
const timeframeOf = (key: string) =>
  `coalesce(nullif(split_part(${key}, ' ', 2), ''), '${COLLECTED_TIMEFRAME}')`;

export const REGIME_TABLE: HistoryTable = {
  name: 'regime',
  table: 'regime_snapshot',
  time: 'captured_at',
  key: `CASE t.timeframe WHEN '${COLLECTED_TIMEFRAME}' THEN t.symbol ELSE t.symbol || ' ' || t.timeframe END`,
  filters: ['symbol', 'timeframe'],
  ofKey: { symbol: symbolOf('key'), timeframe: timeframeOf('key') },
  decimals: [],
  measures: columnMeasures('confidence', 'score_trend', 'score_range', 'score_volatility'),
  presence: ['confidence'],
  label: 'label',
  ofSeries: () => `t.symbol = ${symbolOf('$1')} AND t.timeframe = ${timeframeOf('$1')}`,
  named: (key) => {
    const [symbol, timeframe = COLLECTED_TIMEFRAME] = key.split(' ');
    return { symbol, timeframe };
  },
};
