import { inSqlTransaction } from '@switchyard/db';
import { ApiError } from '@switchyard/server';
import type { z } from 'zod';
import { decimalText } from '../../../decimal';
import type { Resources } from '../../../resources';
import { rebuildBooks } from '../books/fold-books';
import { forgetGone } from '../orders/mark-gone';
import { gridConfig, presentGrid } from '../present-grid';
import { markOf } from './ask-exchange';
import { lockGrid, unknownGrid } from './find-grid';
import type { rebaseRequest } from './grid-request';
import { costOf } from './opening';

export const gridRebased = gridConfig;

/**
 * POST /grids/{grid_id}/rebase: restarts the books with the current holdings. Earlier fills stay
 * stored but no longer count.
 * @throws ApiError 404; 409 for a stopped or simulated grid
 */
export async function rebaseGrid(
  resources: Resources,
  gridId: string,
  { initial_base: base, initial_cost }: z.output<typeof rebaseRequest>,
): Promise<z.output<typeof gridRebased>> {
  const { db, exchange } = resources;
  const known = await db.client.grid.findUnique({ where: { gridId } });
  if (!known) throw unknownGrid();
  const isPriced = initial_cost !== undefined || base.isZero();
  const mark = isPriced ? null : await markOf(resources, known.symbol);
  const cost = costOf(base, initial_cost, mark);
  const rebasedAt = new Date(exchange.time());
  return inSqlTransaction(db.pool, async (tx) => {
    const grid = await lockGrid(tx, gridId);
    if (grid.status === 'stopped')
      throw new ApiError('conflict', 'a stopped grid cannot be rebased');
    if (grid.mode === 'simulated') {
      throw new ApiError(
        'conflict',
        'a simulated grid cannot be rebased: all of its fills are recorded',
      );
    }
    const rebased = { ...grid, initialBase: base, initialCost: cost, rebasedAt, baseBooks: null };
    const books = await rebuildBooks(tx, rebased);
    await forgetGone(tx, grid);
    await tx.query(REBASE, [
      ...[gridId, decimalText(base), decimalText(cost), rebasedAt],
      JSON.stringify(books),
    ]);
    return presentGrid(rebased);
  });
}

const REBASE = `
  UPDATE grid SET initial_base = $2, initial_cost = $3, rebased_at = $4, ledger = $5, base_books = NULL WHERE grid_id = $1`;
