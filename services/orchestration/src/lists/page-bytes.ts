import { type Database, Prisma } from '@switchyard/db';
import type { Reply } from '@switchyard/server';
import { type Cursor, decodeCursor, pageOf } from './page';

/** Serializing more than this at once would hold up every other request (docs/guarantees.md, "No input blocks the process"). */
export const PAGE_BYTES = 1024 * 1024;

export interface LargeRows {
  table: Prisma.Sql;
  where: Prisma.Sql;
  order: Prisma.Sql;
  /** How large a row is in the answer, about. */
  bytes: Prisma.Sql;
}

export interface PageIds {
  ids: string[];
  hasMore: boolean;
}

/**
 * The rows of a page that ends at `limit` rows or where they reach PAGE_BYTES, at least one of them: for
 * lists whose rows carry texts that their writers choose the length of. Only sizes are read here.
 */
export async function idsWithinBytes(
  db: Database,
  { table, where, order, bytes }: LargeRows,
  limit: number,
): Promise<PageIds> {
  const sized = await db.prisma.$queryRaw<{ id: string; bytes: number }[]>`
    SELECT id, (${bytes})::int AS bytes FROM ${table}
    WHERE ${where} ORDER BY ${order} LIMIT ${limit + 1}`;
  const ids: string[] = [];
  for (let at = 0, sum = 0; at < sized.length && ids.length < limit && sum < PAGE_BYTES; at++) {
    const { id, bytes: size } = sized[at] as { id: string; bytes: number };
    ids.push(id);
    sum += size;
  }
  return { ids, hasMore: sized.length > ids.length };
}

/** The same for a list that is newest first; its cursor is that of `newestCursor`. */
export function newestWithinBytes(
  db: Database,
  rows: Omit<LargeRows, 'order'>,
  query: { limit: number; cursor?: string | undefined },
): Promise<PageIds> {
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  const where = cursor
    ? Prisma.sql`${rows.where} AND (created_at, id) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`
    : rows.where;
  const order = Prisma.sql`created_at DESC, id DESC`;
  return idsWithinBytes(db, { ...rows, where, order }, query.limit);
}

/**
 * SQL of the rows of a page that ends where they reach PAGE_BYTES, or with one more than `limit` of them, each with how
 * many were `found` up to there. `bytes` is about how large a row is in the response; larger texts of other rows are not
 * read.
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

/** The page of what such a statement returned. */
export function pageWithinBytes<Row extends { found: number }>(
  rows: Row[],
  limit: number,
  cursorOf: (row: Omit<Row, 'found'>) => Cursor,
): Reply<Omit<Row, 'found'>[]> {
  const shown = rows.slice(0, limit).map(({ found: _, ...row }) => row);
  const hasMore = (rows[0]?.found ?? 0) > shown.length;
  return pageOf(shown, limit, hasMore, (row) => row, cursorOf);
}
