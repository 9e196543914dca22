import { isId } from '@switchyard/db';
import { invalidField, Reply } from '@switchyard/server';

/** Where a page ends: the sort values of its last row. */
export type Cursor = (string | number)[];

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** PostgreSQL's integer, and its times as this service writes them: anything else would fail there. */
const MAX_INT = 2_147_483_647;
const TIME = /^(?!0000)\d{4}-/;

function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

const fitsKind = {
  int: (value: unknown) => Number.isInteger(value) && Math.abs(value as number) <= MAX_INT,
  bigint: Number.isSafeInteger,
  id: (value: unknown) => typeof value === 'string' && isId(value),
  time: isTime,
};

/** @throws ApiError 400 for anything that this list did not hand out */
export function decodeCursor(
  text: string | undefined,
  kinds: (keyof typeof fitsKind)[],
): Cursor | null {
  if (text === undefined) return null;
  const refuse = () => invalidField('cursor', 'is not a cursor of this list');
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw refuse();
  }
  if (!Array.isArray(values) || values.length !== kinds.length) throw refuse();
  const fits = kinds.every((kind, at) => fitsKind[kind](values[at]));
  if (!fits) throw refuse();
  return values as Cursor;
}

/**
 * One page of a list (docs/contract.md, "Conventions"): `rows` holds up to `limit + 1` of them, the extra one
 * only says that more follows.
 */
export function page<Row, Shown>(
  rows: Row[],
  limit: number,
  present: (row: Row) => Shown,
  cursorOf: (row: Row) => Cursor,
): Reply<Shown[]> {
  return pageOf(rows.slice(0, limit), limit, rows.length > limit, present, cursorOf);
}

/** One page whose end was found before its rows were read. */
export function pageOf<Row, Shown>(
  shown: Row[],
  limit: number,
  hasMore: boolean,
  present: (row: Row) => Shown,
  cursorOf: (row: Row) => Cursor,
): Reply<Shown[]> {
  const last = shown.at(-1);
  const headers: Record<string, string> = { 'X-Limit': String(limit) };
  if (hasMore && last !== undefined) headers['X-Next-Cursor'] = encodeCursor(cursorOf(last));
  return new Reply(shown.map(present), { headers });
}

interface Dated {
  id: string;
  createdAt: Date;
}

/** Order, filter and size of a newest-first list. Pages begin behind a row, never at an OFFSET, which would read all rows before it. */
export function newestFirst(query: { limit: number; cursor?: string | undefined }) {
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  const after = cursor && {
    createdAt: { lte: new Date(cursor[0] as string) },
    OR: [{ createdAt: { lt: new Date(cursor[0] as string) } }, { id: { lt: cursor[1] as string } }],
  };
  return {
    after: after ?? {},
    orderBy: NEWEST_FIRST,
    take: query.limit + 1,
  };
}

/** Where a page of a newest-first list begins, for a statement that takes both; without a cursor before everything. */
export function newestStart(query: { cursor?: string | undefined }) {
  const [beforeTime, beforeId] = decodeCursor(query.cursor, ['time', 'id']) ?? NEWEST;
  return { beforeTime: beforeTime as string, beforeId: beforeId as string };
}

const NEWEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** Order of a page whose rows are known. */
export const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export const newestCursor = (row: Dated): Cursor => [row.createdAt.toISOString(), row.id];
