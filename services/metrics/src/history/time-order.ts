import { z } from 'zod';
import { accountSql, presentOwner } from '../exchange/owner';
import { moment, queryInteger, storableText } from '../http/fields';
import { valueError } from '../http/invalid-request';
import type { Row } from '../kinds/kind';
import { wire } from '../kinds/present-item';
import type { Resources } from '../resources';
import { createValues } from './conditions';

export const timeOrderQuery = {
  account: storableText(32).optional(),
  start: moment.optional(),
  end: moment.optional(),
  limit: queryInteger(1, 1000).default(100),
  cursor: storableText(256).optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
};

export const timeOrderPagination = z.object({
  limit: z.number(),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

const fields = z.object(timeOrderQuery);
type TimeOrderQuery = z.output<typeof fields>;

interface Listed<Item> {
  at: string;
  from: string;
  columns: string;
  filters: readonly string[];
  decimals: readonly (keyof Item & string)[];
}

export async function readInOrder<Item>(
  { clock, db }: Resources,
  query: TimeOrderQuery & Record<string, unknown>,
  { at, from, columns, filters, decimals }: Listed<Item>,
) {
  const { account, start, end, limit, order } = query;
  const values = createValues();
  const asked = filters.filter((name) => query[name] !== undefined);
  const conditions = asked.map((name) => `t.${name} = ${values.add(query[name])}`);
  if (account !== undefined) {
    conditions.push(`${accountSql('t.exchange')} = ${values.add(account)}`);
  }
  if (start) conditions.push(`t.${at} >= ${values.add(start)}`);
  if (end) conditions.push(`t.${at} < ${values.add(end)}`);
  const after = readPlace(query.cursor);
  if (after) {
    const place = `(${values.add(new Date(after.at))}, ${values.add(after.id)}::bigint)`;
    conditions.push(`(t.${at}, t.id) ${order === 'asc' ? '>' : '<'} ${place}`);
  }
  const { rows } = await db.pool.query<Row>(
    `SELECT t.id, t.exchange, t.${at}, ${columns} FROM ${from}
     ${conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''}
     ORDER BY t.${at} ${order}, t.id ${order} LIMIT ${values.add(limit + 1)}`,
    values.list,
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(({ id: _, ...row }) => {
      const item = Object.entries(row).map(([name, value]) => [
        name,
        wire(value, decimals.includes(name as never)),
      ]);
      return { ...Object.fromEntries(item), ...presentOwner(String(row.exchange)) } as Item;
    }),
    pagination: {
      limit,
      has_more: last !== undefined,
      next_cursor: last ? writePlace(last[at] as Date, String(last.id)) : null,
    },
    generated_at: clock.now().toISOString(),
  };
}

const writePlace = (at: Date, id: string): string =>
  Buffer.from(`${at.getTime()}:${id}`).toString('base64url');

function readPlace(cursor: string | undefined): { at: number; id: string } | null {
  if (cursor === undefined) return null;
  const [, at, id] =
    /^(\d{1,15}):(\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw valueError(
    ['query', 'cursor'],
    'the cursor must be one that this service returned',
    cursor,
  );
}
