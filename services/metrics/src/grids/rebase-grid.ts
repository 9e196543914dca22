import { ApiError } from '@switchyard/server';
import type { z } from 'zod';
import { decimalText } from '../decimal';
import { openLedger } from '../kinds/grid/ledger';
import { gridConfig, presentGrid } from '../kinds/grid/present-grid';
import type { Resources } from '../resources';
import { assertGridId, unknownGrid } from './grid-id';
import type { rebaseRequest } from './grid-request';
import { markOf } from './mark-of';
import { costOf } from './opening';

export const gridRebased = gridConfig;

/**
 * POST /grids/{grid_id}/rebase: begins a grid's books anew with what is held now. Fills before now count no more;
 * they stay stored.
 * @throws ApiError 404, or 409 for a grid that is stopped or simulated
 */
export async function rebaseGrid(
  resources: Resources,
  gridId: string,
  { initial_base: base, initial_cost }: z.output<typeof rebaseRequest>,
): Promise<z.output<typeof gridRebased>> {
  const { db, exchange } = resources;
  assertGridId(gridId);
  const known = await db.client.grid.findUnique({ where: { gridId } });
  if (!known) throw unknownGrid();
  const isPriced = initial_cost !== undefined || base.isZero();
  const mark = isPriced ? null : await markOf(resources, known.symbol);
  const cost = costOf(base, initial_cost, mark);
  // By the clock that dates its fills.
  const rebasedAt = new Date(exchange.time());
  const row = await db.client.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM grid WHERE grid_id = ${gridId} FOR UPDATE`;
    const grid = await tx.grid.findUnique({ where: { gridId } });
    if (!grid) throw unknownGrid();
    if (grid.status === 'stopped') throw new ApiError('conflict', 'the grid is stopped');
    if (grid.mode === 'simulated') {
      throw new ApiError('conflict', 'a simulated grid knows all of its fills');
    }
    const initial = { initialBase: decimalText(base), initialCost: decimalText(cost) };
    const data = { ...initial, rebasedAt, ledger: { ...openLedger(base, cost) } };
    return tx.grid.update({ where: { gridId }, data });
  });
  return presentGrid(row);
}
