import type { Registry } from 'prom-client';
import { z } from 'zod';
import { createGauge } from '../../create-gauge';
import type { DashboardPart, KindGauges } from '../kind';
import { listGrids } from './list-grids';

export const GRID_ON_DASHBOARD: DashboardPart = {
  field: 'grids',
  item: z.looseObject({ grid_id: z.string() }),
  latest: async (resources) => (await listGrids(resources, {})).items,
};

interface Status {
  grid_id: string;
  realised_pnl: string | null;
  unrealised_pnl: string | null;
  grid_profit: string;
  inventory_result: string | null;
  fees_total: string;
  missing_orders: number;
  out_of_range: string;
  /** Null while the regime of the symbol is not known. */
  trending: boolean | null;
}

export function gridGauges(registry: Registry): KindGauges {
  const gauge = <Label extends string>(name: string, help: string, ...labels: Label[]) =>
    createGauge(registry, `grid_${name}`, help, labels);
  const pnl = gauge('pnl_quote', 'Profit of a grid.', 'grid_id', 'type');
  const parts = gauge(
    'pnl_part_quote',
    'What the profit of a grid is made of: grid, inventory, fees.',
    'grid_id',
    'part',
  );
  const missing = gauge('missing_orders', 'Levels without their order.', 'grid_id');
  const outside = gauge('out_of_range', 'One while the price is outside.', 'grid_id');
  const against = gauge(
    'in_trend',
    'One while the symbol of a grid trends; absent while that is not known.',
    'grid_id',
  );
  return {
    all: [pnl, parts, missing, outside, against],
    select: `
      SELECT json_agg(json_build_object('grid_id', g.grid_id, 'realised_pnl', realised_pnl::text,
        'unrealised_pnl', unrealised_pnl::text, 'grid_profit', grid_profit::text,
        'inventory_result', inventory_result::text, 'fees_total', fees_total::text, 'missing_orders', missing_orders, 'out_of_range', out_of_range,
        'trending', (SELECT r.label LIKE 'trending%' FROM regime_snapshot r WHERE r.collection_ref = shown.id
          AND r.exchange = g.exchange AND r.symbol = g.symbol AND r.label <> 'unknown' LIMIT 1)))
      FROM grid_snapshot g JOIN shown ON collection_ref = shown.id AND g.exchange = shown.owner`,
    show: (rows: Status[], of) => {
      for (const { grid_id, realised_pnl, unrealised_pnl, ...row } of rows) {
        if (realised_pnl !== null)
          pnl.set({ ...of, grid_id, type: 'realised' }, Number(realised_pnl));
        if (unrealised_pnl !== null)
          pnl.set({ ...of, grid_id, type: 'unrealised' }, Number(unrealised_pnl));
        const { grid_profit, inventory_result, fees_total } = row;
        parts.set({ ...of, grid_id, part: 'grid' }, Number(grid_profit));
        if (inventory_result !== null) {
          parts.set({ ...of, grid_id, part: 'inventory' }, Number(inventory_result));
        }
        parts.set({ ...of, grid_id, part: 'fees' }, -Number(fees_total));
        missing.set({ ...of, grid_id }, row.missing_orders);
        outside.set({ ...of, grid_id }, row.out_of_range === 'none' ? 0 : 1);
        if (row.trending !== null) against.set({ ...of, grid_id }, row.trending ? 1 : 0);
      }
    },
  };
}
