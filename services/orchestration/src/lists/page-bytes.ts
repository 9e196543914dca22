import type { Reply } from '@switchyard/server';
import { type Cursor, pageOf } from './page';

/**
 * Serialising larger pages would delay other requests (docs/guarantees.md, "No input blocks the
 * process").
 */
export const PAGE_BYTES = 1024 * 1024;

/**
 * SQL of a page that ends at PAGE_BYTES or at `limit` + 1 rows; `found` counts the rows. `bytes`
 * estimates a row's size in the response.
 */
export function withinBytes({ rows, order, bytes, limit }: Record<PagePart, string>): string {
  return `
    SELECT * FROM (
      SELECT *, (count(*) OVER ())::int AS found, coalesce(sum(${bytes}) OVER (
        ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
      FROM (${rows} ORDER BY ${order} LIMIT ${limit} + 1) looked_at
    ) sized WHERE bytes_before < ${PAGE_BYTES} ORDER BY ${order}`;
}

type PagePart = 'rows' | 'order' | 'bytes' | 'limit';

export function pageWithinBytes<Row extends { found: number }>(
  rows: Row[],
  limit: number,
  cursorOf: (row: Omit<Row, 'found'>) => Cursor,
): Reply<Omit<Row, 'found'>[]> {
  const shown = rows.slice(0, limit).map(({ found: _, ...row }) => row);
  const hasMore = (rows[0]?.found ?? 0) > shown.length;
  return pageOf(shown, limit, hasMore, (row) => row, cursorOf);
}
