import type { Sql } from '@switchyard/db';
import { ApiError } from '@switchyard/server';
import type { WithAccounts } from '../../../accounts/find-account';
import type { Resources } from '../../../resources';
import { type GridRow, readGrids } from '../read-grids';

const GRID_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Uses the first account if the grid's exchange is no longer configured.
 * @throws ApiError 404 for an invalid grid id
 */
export async function findGrid<Of extends Resources>(
  resources: Of & WithAccounts,
  given: unknown,
): Promise<[Of, string]> {
  const gridId = String(given).toLowerCase();
  if (!GRID_ID.test(gridId)) throw unknownGrid();
  const { rows } = await resources.db.pool.query<{ exchange: string }>(
    'SELECT exchange FROM grid WHERE grid_id = $1',
    [gridId],
  );
  const found = resources.accounts.find(({ exchange }) => exchange.name === rows[0]?.exchange);
  return [{ ...resources, ...found }, gridId];
}

export async function lockGrid(tx: Sql, gridId: string): Promise<GridRow> {
  const [grid] = await readGrids(tx, 'WHERE grid_id = $1 FOR UPDATE', [gridId]);
  if (!grid) throw unknownGrid();
  return grid;
}

export const unknownGrid = () => new ApiError('not_found', 'grid not found');
