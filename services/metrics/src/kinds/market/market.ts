import type { Quote } from '../../exchange/read-ticker';
import type { Kind } from '../kind';
import { MARKET_TABLE } from './columns';
import { gatherMarkets } from './gather';
import { MARKET_ON_DASHBOARD, marketGauges } from './present';
import { storeMarkets } from './store';

export const MARKET: Kind<Quote> = {
  ...MARKET_TABLE,
  component: 'market_data',
  plan: async () => ({ gather: gatherMarkets }),
  targetOf: ({ symbol }) => symbol,
  store: storeMarkets,
  dashboard: MARKET_ON_DASHBOARD,
  gauges: marketGauges,
};
