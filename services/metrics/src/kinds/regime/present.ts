import type { Registry } from 'prom-client';
import { COLLECTED_TIMEFRAME } from '../../candles/timeframe';
import { createGauge } from '../../create-gauge';
import { type DashboardPart, type KindGauges, snapshotItem } from '../kind';
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

export function regimeGauges(registry: Registry): KindGauges {
  const regime = createGauge(registry, 'regime', 'One for the label that holds.', [
    'symbol',
    'label',
  ]);
  return {
    all: [regime],
    select: `
      SELECT json_agg(json_build_object('symbol', symbol, 'label', label))
      FROM regime_snapshot JOIN shown ON collection_ref = shown.id`,
    show: (rows: { symbol: string; label: string }[]) => {
      for (const { symbol, label } of rows) {
        for (const one of REGIME_LABELS) regime.set({ symbol, label: one }, one === label ? 1 : 0);
      }
    },
  };
}
