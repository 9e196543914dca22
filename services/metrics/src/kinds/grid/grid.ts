import { z } from 'zod';
import type { Kind, KindGauge } from '../kind';
import { deleteFills } from './books/delete-fills';
import { type ObservedGrid, planGrids } from './gather';
import { listGrids } from './requests/list-grids';
import { GRID_TABLE, storeGrids } from './store';

const gauge = (name: string, help: string, value: string, labels = {}): KindGauge => ({
  name: `grid_${name}`,
  help,
  labels: { grid_id: 't.grid_id', ...labels },
  value,
});
const pnl = (type: string) =>
  gauge('pnl_quote', 'Profit of a grid.', `t.${type}_pnl`, { type: `'${type}'` });
const part = (name: string, value: string) =>
  gauge('pnl_part_quote', "Parts of a grid's profit: grid, inventory, fees.", value, {
    part: `'${name}'`,
  });

export const GRID: Kind<ObservedGrid> = {
  ...GRID_TABLE,
  component: 'grid_status',
  plan: planGrids,
  targetOf: ({ gridId }) => gridId,
  store: storeGrids,
  deleteOld: deleteFills,
  dashboard: {
    field: 'grids',
    item: z.looseObject({ grid_id: z.string() }),
    latest: async (resources) => (await listGrids(resources, {})).items,
  },
  gauges: [
    pnl('realised'),
    pnl('unrealised'),
    part('grid', 't.grid_profit'),
    part('inventory', 't.inventory_result'),
    part('fees', '-t.fees_total'),
    gauge('missing_orders', 'Levels without their expected order.', 't.missing_orders'),
    gauge(
      'out_of_range',
      'One while the price is outside the grid.',
      "(t.out_of_range <> 'none')::int",
    ),
    gauge(
      'in_trend',
      "One while the grid's symbol is trending; absent while unknown.",
      `SELECT (r.label LIKE 'trending%')::int FROM regime_snapshot r
     WHERE r.collection_ref = shown.id AND r.exchange = t.exchange AND r.symbol = t.symbol AND r.label <> 'unknown' LIMIT 1`,
    ),
  ],
};
