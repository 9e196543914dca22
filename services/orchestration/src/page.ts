import { isId } from '@switchyard/db';
import { Answer, invalidField } from '@switchyard/server';

/** Where a page ends: the sort values of its last row. */
export type Cursor = (string | number)[];

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** @throws Refusal 400 for anything that this list did not hand out */
export function decodeCursor(
  text: string | undefined,
  kinds: ('time' | 'id' | 'int')[],
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
  const fits = kinds.every((kind, at) => {
    const value: unknown = values[at];
    if (kind === 'int') return Number.isSafeInteger(value);
    if (typeof value !== 'string') return false;
    return kind === 'id' ? isId(value) : !Number.isNaN(Date.parse(value)) && value.length <= 30;
  });
  if (!fits) throw refuse();
  return values as Cursor;
}

/**
 * One page of a list (contract, "Conventions"): `rows` holds up to `limit + 1` of them, the extra one
 * only says that more follows.
 */
export function page<Row>(
  rows: Row[],
  limit: number,
  present: (row: Row) => unknown,
  cursorOf: (row: Row) => Cursor,
): Answer {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const headers: Record<string, string> = { 'X-Limit': String(limit) };
  if (rows.length > limit && last !== undefined) {
    headers['X-Next-Cursor'] = encodeCursor(cursorOf(last));
  }
  return new Answer(shown.map(present), { headers });
}

interface Dated {
  id: string;
  createdAt: Date;
}

/** Order, filter and size of a newest-first list; keyset paging, never OFFSET (guarantee G28). */
export function newestFirst(query: { limit: number; cursor?: string | undefined }) {
  const cursor = decodeCursor(query.cursor, ['time', 'id']);
  const after = cursor && {
    createdAt: { lte: new Date(cursor[0] as string) },
    OR: [{ createdAt: { lt: new Date(cursor[0] as string) } }, { id: { lt: cursor[1] as string } }],
  };
  return {
    after: after ?? {},
    orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }],
    take: query.limit + 1,
  };
}

export const newestCursor = (row: Dated): Cursor => [row.createdAt.toISOString(), row.id];
