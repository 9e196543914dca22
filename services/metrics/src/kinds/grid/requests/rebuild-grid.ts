import { isDeepStrictEqual } from 'node:util';
import { inSqlTransaction } from '@switchyard/db';
import { z } from 'zod';
import type { Resources } from '../../../resources';
import { rebuildBooks } from '../books/fold-books';
import type { Ledger } from '../books/ledger';
import { gridConfig, presentGrid } from '../present-grid';
import { lockGrid } from './find-grid';

export const rebuildRequest = z.strictObject({});

export const gridRebuilt = gridConfig.extend({
  fills: z.number().describe('number of fills in the books'),
  changed: z.boolean().describe('true if the books changed'),
});

export async function rebuildGrid(
  { db }: Resources,
  gridId: string,
): Promise<z.output<typeof gridRebuilt>> {
  return inSqlTransaction(db.pool, async (tx) => {
    const grid = await lockGrid(tx, gridId);
    const books = await rebuildBooks(tx, grid);
    await tx.query('UPDATE grid SET ledger = $2 WHERE grid_id = $1', [
      gridId,
      JSON.stringify(books),
    ]);
    const changed = !isDeepStrictEqual(books, grid.ledger as unknown as Ledger);
    return { ...presentGrid(grid), fills: books.buys + books.sells, changed };
  });
}
