import type { Kind } from '../kind';
import { GRID_TABLE } from './columns';
import { type ObservedGrid, planGrids } from './gather';
import { GRID_ON_DASHBOARD, gridGauges } from './present';
import { storeGrids } from './store';

export const GRID: Kind<ObservedGrid> = {
  ...GRID_TABLE,
  component: 'grid_status',
  plan: planGrids,
  targetOf: ({ gridId }) => gridId,
  store: storeGrids,
  dashboard: GRID_ON_DASHBOARD,
  gauges: gridGauges,
};
