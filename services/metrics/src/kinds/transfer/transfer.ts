import type { Kind } from '../kind';
import { TRANSFER_TABLE } from './columns';
import { planTransfers, type SeenTransfers } from './gather';
import { TRANSFER_ON_DASHBOARD, TRANSFER_SUMS, transferGauges } from './present';
import { storeTransfers } from './store';

export const TRANSFER: Kind<SeenTransfers> = {
  ...TRANSFER_TABLE,
  component: 'transfers',
  plan: planTransfers,
  targetOf: () => 'transfers',
  store: storeTransfers,
  dashboard: TRANSFER_ON_DASHBOARD,
  gauges: transferGauges,
  gaugesFrom: TRANSFER_SUMS,
};
