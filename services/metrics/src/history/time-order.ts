import { z } from 'zod';
import { accountSql } from '../exchange/owner';
import { moment, queryInteger, storableText } from '../http/fields';
import { readPlace, writePlace } from '../http/place-cursor';
import type { createValues } from './conditions';

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

type Values = ReturnType<typeof createValues>;

/**
 * Returns conditions, order and limit of a page of table `t`, which needs `exchange`, `id` and the
 * time column `at`. Reads one more row than the page shows.
 * @throws InvalidRequest for a cursor that this service did not return
 */
export function timeOrderSql(
  values: Values,
  query: TimeOrderQuery,
  { at, conditions }: { at: string; conditions: readonly string[] },
): { where: string; orderAndLimit: string } {
  const all = [...conditions];
  if (query.account !== undefined) {
    all.push(`${accountSql('t.exchange')} = ${values.add(query.account)}`);
  }
  if (query.start) all.push(`t.${at} >= ${values.add(query.start)}`);
  if (query.end) all.push(`t.${at} < ${values.add(query.end)}`);
  const after = readPlace(query.cursor);
  if (after) {
    const sign = query.order === 'asc' ? '>' : '<';
    const place = `(${values.add(new Date(after.at))}, ${values.add(after.id)}::bigint)`;
    all.push(`(t.${at}, t.id) ${sign} ${place}`);
  }
  return {
    where: all.length > 0 ? `WHERE ${all.join(' AND ')}` : '',
    orderAndLimit: `ORDER BY t.${at} ${query.order}, t.id ${query.order} LIMIT ${values.add(query.limit + 1)}`,
  };
}

export function timeOrderPage<Row>(
  rows: readonly Row[],
  { limit }: Pick<TimeOrderQuery, 'limit'>,
  placeOf: (row: Row) => readonly [at: Date, id: string],
): { shown: Row[]; pagination: z.output<typeof timeOrderPagination> } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  const pagination = {
    limit,
    has_more: hasMore,
    next_cursor: hasMore ? writePlace(...placeOf(last)) : null,
  };
  return { shown, pagination };
}
