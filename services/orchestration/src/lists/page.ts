import { createHash } from 'node:crypto';
import { isId } from '@switchyard/db';
import { invalidField, Reply } from '@switchyard/server';

export type Cursor = (string | number)[];

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

const MAX_INT = 2_147_483_647;
const TIME = /^(?!0000)\d{4}-/;

function isTime(value: unknown): boolean {
  if (typeof value !== 'string' || !TIME.test(value)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value;
}

function isDay(value: unknown): boolean {
  if (value === 'infinity') return true;
  return typeof value === 'string' && isTime(`${value}T00:00:00.000Z`);
}

const fitsKind = {
  int: (value: unknown) => Number.isInteger(value) && Math.abs(value as number) <= MAX_INT,
  bigint: Number.isSafeInteger,
  id: (value: unknown) => typeof value === 'string' && isId(value),
  time: isTime,
  day: isDay,
  mark: (value: unknown) => typeof value === 'string',
};

export type CursorKind = keyof typeof fitsKind;

export function decodeCursor(
  text: string | undefined,
  kinds: readonly CursorKind[],
): Cursor | null {
  if (text === undefined) return null;
  const values = parseCursor(text);
  if (values?.length !== kinds.length) throw notOfThisList();
  const fits = kinds.every((kind, at) => fitsKind[kind](values[at]));
  if (!fits) throw notOfThisList();
  return values as Cursor;
}

/**
 * The cursor ends with a mark of its order and filters.
 * @throws ApiError 400 for an invalid cursor or one of another order or filter
 */
export function decodeMarkedCursor(
  text: string | undefined,
  kinds: readonly CursorKind[],
  mark: string,
): Cursor | null {
  if (text === undefined) return null;
  const values = decodeCursor(text, [...kinds, 'mark']);
  if (values?.pop() === mark) return values;
  throw invalidField('cursor', 'must come from a request with the same sort and filters');
}

export function markOf(choice: unknown): string {
  return createHash('sha256').update(JSON.stringify(choice)).digest('base64url').slice(0, 12);
}

function parseCursor(text: string): unknown[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(values) ? values : null;
  } catch {
    return null;
  }
}

const notOfThisList = () =>
  invalidField('cursor', 'must be the X-Next-Cursor header of the previous page');

export function page<Row, Shown>(
  rows: Row[],
  limit: number,
  present: (row: Row) => Shown,
  cursorOf: (row: Row) => Cursor,
): Reply<Shown[]> {
  return pageOf(rows.slice(0, limit), limit, rows.length > limit, present, cursorOf);
}

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

/** Starts a page after a row, because an OFFSET would read all previous rows. */
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

export function newestStart(query: { cursor?: string | undefined }) {
  const [beforeTime, beforeId] = decodeCursor(query.cursor, ['time', 'id']) ?? NEWEST;
  return { beforeTime: beforeTime as string, beforeId: beforeId as string };
}

const NEWEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export const newestCursor = (row: Dated): Cursor => [row.createdAt.toISOString(), row.id];
