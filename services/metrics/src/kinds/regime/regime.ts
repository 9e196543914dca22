import type { Kind } from '../kind';
import { REGIME_TABLE } from './columns';
import { gatherRegimes, type RegimeRow } from './gather';
import { REGIME_ON_DASHBOARD, regimeGauges } from './present';
import { storeRegimes } from './store';

export const REGIME: Kind<RegimeRow> = {
  ...REGIME_TABLE,
  component: 'regime_analysis',
  readsCandles: true,
  plan: async () => ({ gather: gatherRegimes }),
  targetOf: ({ symbol }) => symbol,
  store: storeRegimes,
  dashboard: REGIME_ON_DASHBOARD,
  gauges: regimeGauges,
};
