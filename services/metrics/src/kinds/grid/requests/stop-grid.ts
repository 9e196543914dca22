import type { z } from 'zod';
import type { Resources } from '../../../resources';
import { presentGrid } from '../present-grid';
import { unknownGrid } from './find-grid';
import type { gridStopped } from './grid-request';

const ORDERS_STAY =
  'its orders on the exchange stay open: cancel them there, because this service does not trade';

/**
 * POST /grids/{grid_id}/stop: excludes the grid from collections and releases its name. Cancels
 * orders only of a simulated grid. Idempotent.
 * @throws ApiError 404
 */
export async function stopGrid(
  { clock, db, exchange }: Resources,
  gridId: string,
): Promise<z.output<typeof gridStopped>> {
  const row = await db.client.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM grid WHERE grid_id = ${gridId} FOR UPDATE`;
    const grid = await tx.grid.findUnique({ where: { gridId } });
    if (!grid) throw unknownGrid();
    if (grid.status === 'stopped') return grid;
    const data = { status: 'stopped', stoppedAt: clock.now(), outOfRangeSince: null };
    return tx.grid.update({ where: { gridId }, data });
  });
  const isPlaced = row.mode === 'simulated';
  if (isPlaced) await exchange.cancelGrid?.(gridId);
  return { ...presentGrid(row), warnings: isPlaced ? [] : [ORDERS_STAY] };
}
