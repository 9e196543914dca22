import type { Kind } from '../kind';
import { POSITION_TABLE } from './columns';
import { type ObservedMargin, planPositions } from './gather';
import { POSITIONS_ON_DASHBOARD, positionGauges } from './present';
import { storePositions } from './store';

export const POSITION: Kind<ObservedMargin> = {
  ...POSITION_TABLE,
  component: 'perpetual_positions',
  plan: planPositions,
  targetOf: () => 'perpetual_positions',
  store: storePositions,
  dashboard: POSITIONS_ON_DASHBOARD,
  gauges: positionGauges,
};
