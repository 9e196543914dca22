import { z } from 'zod';
import { gridId, storableText } from '../../../http/fields';
import type { Resources } from '../../../resources';
import type { Row } from '../../kind';
import { presentItem } from '../../present-item';
import { gridConfig, presentGrid } from '../present-grid';
import { readGrids } from '../read-grids';
import { GRID_TABLE } from '../store';

export const gridsQuery = z.strictObject({
  grid_id: gridId.optional(),
  symbol: storableText(64).optional(),
});

export const gridsResponse = z.object({
  items: z.array(
    z.looseObject({
      ...gridConfig.shape,
      captured_at: z.string().nullable(),
      age_seconds: z.number().nullable(),
      stale: z.boolean(),
    }),
  ),
  generated_at: z.string(),
});

const ASKED = `
  WHERE ($1::text IS NULL OR grid_id = $1) AND ($2::text IS NULL OR symbol = $2)
  ORDER BY created_at, grid_id LIMIT 1000`;

export async function listGrids(
  { clock, config, db }: Resources,
  query: z.output<typeof gridsQuery>,
): Promise<z.output<typeof gridsResponse>> {
  const now = clock.now();
  const grids = await readGrids(db.pool, ASKED, [query.grid_id ?? null, query.symbol ?? null]);
  const { rows } = await db.pool.query<Row>(
    `SELECT s.*, c.collection_id FROM unnest($1::text[]) AS g (grid_id)
     CROSS JOIN LATERAL (
       SELECT * FROM grid_snapshot t WHERE t.grid_id = g.grid_id
       ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
     ) s JOIN collection c ON c.id = s.collection_ref`,
    [grids.map(({ gridId }) => gridId)],
  );
  const snapshots = new Map(rows.map((row) => [row.grid_id, row]));
  return {
    generated_at: now.toISOString(),
    items: grids.map((grid) => {
      const row = snapshots.get(grid.gridId);
      const seconds = row ? Math.round((+now - +(row.captured_at as Date)) / 1000) : null;
      const isOld = seconds === null || seconds * 1000 > 2 * config.intervalMs;
      const { kind: _, ...snapshot } = row ? presentItem(GRID_TABLE, row) : { kind: null };
      return {
        ...snapshot,
        ...presentGrid(grid),
        captured_at: row ? (row.captured_at as Date).toISOString() : null,
        age_seconds: seconds,
        stale: isOld || row?.stale === true,
      };
    }),
  };
}
