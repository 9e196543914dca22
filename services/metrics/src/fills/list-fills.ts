import { z } from 'zod';
import { decimalText } from '../decimal';
import { accountSql, presentOwner } from '../exchange/owner';
import { createValues } from '../history/conditions';
import { moment, queryInteger, storableText } from '../http/fields';
import { readPlace, writePlace } from '../http/place-cursor';
import type { Row } from '../kinds/kind';
import type { Resources } from '../resources';

export const fillsQuery = z.strictObject({
  grid_id: storableText(128).optional(),
  symbol: storableText(64).optional(),
  side: z.enum(['buy', 'sell']).optional(),
  account: storableText(32).optional(),
  start: moment.optional(),
  end: moment.optional(),
  limit: queryInteger(1, 1000).default(100),
  cursor: storableText(256).optional(),
  order: z.enum(['asc', 'desc']).default('desc'),
});

export type FillsQuery = z.output<typeof fillsQuery>;

const fill = z.object({
  trade_id: z.string(),
  grid_id: z.string(),
  grid_name: z.string(),
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  price: z.string(),
  amount: z.string(),
  value: z.string(),
  fee: z.string(),
  fee_asset: z.string().nullable(),
  order_id: z.string().nullable(),
  client_order_id: z.string().nullable(),
  traded_at: z.string(),
});

export const fillsResponse = z.object({
  items: z.array(fill),
  pagination: z.object({
    limit: z.number(),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  }),
  generated_at: z.string(),
});

const DECIMALS = ['price', 'amount', 'value', 'fee'];

/** GET /fills: the fills that the grids' books are made of, in order of time. */
export async function listFills(
  { clock, db }: Resources,
  query: FillsQuery,
): Promise<z.output<typeof fillsResponse>> {
  const { text, values } = statementFor(query);
  const { rows } = await db.pool.query<Row>(text, values);
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return {
    items: shown.map(presentFill),
    pagination: {
      limit: query.limit,
      has_more: hasMore,
      next_cursor: hasMore ? writePlace(last.traded_at as Date, String(last.id)) : null,
    },
    generated_at: clock.now().toISOString(),
  };
}

function statementFor(query: FillsQuery) {
  const values = createValues();
  const conditions: string[] = [];
  for (const name of ['grid_id', 'symbol', 'side'] as const) {
    if (query[name] !== undefined) conditions.push(`t.${name} = ${values.add(query[name])}`);
  }
  if (query.account !== undefined) {
    conditions.push(`${accountSql('t.exchange')} = ${values.add(query.account)}`);
  }
  if (query.start) conditions.push(`t.traded_at >= ${values.add(query.start)}`);
  if (query.end) conditions.push(`t.traded_at < ${values.add(query.end)}`);
  const after = readPlace(query.cursor);
  if (after) {
    const sign = query.order === 'asc' ? '>' : '<';
    const place = `(${values.add(new Date(after.at))}, ${values.add(after.id)}::bigint)`;
    conditions.push(`(t.traded_at, t.id) ${sign} ${place}`);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const text = `
    SELECT t.id, t.trade_id, t.grid_id, g.name AS grid_name, t.exchange, g.simulated, t.symbol, t.side, t.price,
      t.amount, t.price * t.amount AS value, t.fee, t.fee_asset, t.order_id, t.client_order_id, t.traded_at
    FROM trade t JOIN grid g ON g.grid_id = t.grid_id ${where}
    ORDER BY t.traded_at ${query.order}, t.id ${query.order} LIMIT ${values.add(query.limit + 1)}`;
  return { text, values: values.list };
}

function presentFill({ id: _, ...row }: Row): z.output<typeof fill> {
  const texts = DECIMALS.map((name) => [name, decimalText(String(row[name]))]);
  const traded_at = (row.traded_at as Date).toISOString();
  return {
    ...row,
    ...presentOwner(String(row.exchange)),
    ...Object.fromEntries(texts),
    traded_at,
  } as z.output<typeof fill>;
}
