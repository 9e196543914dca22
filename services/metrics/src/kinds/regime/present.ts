import { COLLECTED_TIMEFRAME } from '../../candles/timeframe';
import { type DashboardPart, type KindGauge, snapshotItem } from '../kind';
import { latestBySymbol } from '../latest-by-symbol';
import { REGIME_LABELS } from './classify';
import { REGIME_TABLE } from './columns';

export const REGIME_ON_DASHBOARD: DashboardPart = {
  field: 'regimes',
  item: snapshotItem,
  latest: async ({ config, db }, exchange) => {
    const { rows } = await db.pool.query<{ symbol: string }>(
      "SELECT DISTINCT symbol FROM grid WHERE status = 'active' AND exchange = $1 ORDER BY symbol",
      [exchange],
    );
    const symbols = new Set([...config.symbols, ...rows.map(({ symbol }) => symbol)]);
    const condition = `t.timeframe = '${COLLECTED_TIMEFRAME}'`;
    return latestBySymbol(db, REGIME_TABLE, exchange, [...symbols], condition);
  },
};

export const regimeGauges: readonly KindGauge[] = REGIME_LABELS.map((label) => ({
  name: 'regime',
  help: 'One for the current label, zero for the others.',
  labels: { symbol: 't.symbol', label: `'${label}'` },
  value: `(t.label = '${label}')::int`,
}));
