import type { Sql } from '@switchyard/db';
import { type GridRow, readGrids } from '../kinds/grid/read-grids';
import { unknownGrid } from './grid-id';

export async function lockGrid(tx: Sql, gridId: string): Promise<GridRow> {
  const [grid] = await readGrids(tx, 'WHERE grid_id = $1 FOR UPDATE', [gridId]);
  if (!grid) throw unknownGrid();
  return grid;
}
