import { COLLECTED_TIMEFRAME } from '../../candles/timeframe';
import { type DashboardPart, type KindGauge, snapshotItem } from '../kind';
import { latestBySymbol, watchedSymbols } from '../latest-by-symbol';
import { REGIME_LABELS } from './classify';
import { REGIME_TABLE } from './columns';

export const REGIME_ON_DASHBOARD: DashboardPart = {
  field: 'regimes',
  item: snapshotItem,
  latest: async (resources, exchange) =>
    latestBySymbol(
      resources,
      REGIME_TABLE,
      exchange,
      await watchedSymbols(resources, exchange),
      `t.timeframe = '${COLLECTED_TIMEFRAME}'`,
    ),
};

export const regimeGauges: readonly KindGauge[] = REGIME_LABELS.map((label) => ({
  name: 'regime',
  help: 'One for the current label, zero for the others.',
  labels: { symbol: 't.symbol', label: `'${label}'` },
  value: `(t.label = '${label}')::int`,
}));
