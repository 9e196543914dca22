import { z } from 'zod';
import { decimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';
import { createValues } from '../history/conditions';
import {
  timeOrderPage,
  timeOrderPagination,
  timeOrderQuery,
  timeOrderSql,
} from '../history/time-order';
import { gridId, storableText } from '../http/fields';
import type { Row } from '../kinds/kind';
import type { Resources } from '../resources';

export const fillsQuery = z.strictObject({
  grid_id: gridId.optional(),
  symbol: storableText(64).optional(),
  side: z.enum(['buy', 'sell']).optional(),
  ...timeOrderQuery,
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
  pagination: timeOrderPagination,
  generated_at: z.string(),
});

const DECIMALS = ['price', 'amount', 'value', 'fee'];

export async function listFills(
  { clock, db }: Resources,
  query: FillsQuery,
): Promise<z.output<typeof fillsResponse>> {
  const { text, values } = statementFor(query);
  const { rows } = await db.pool.query<Row>(text, values);
  const { shown, pagination } = timeOrderPage(rows, query, (row) => [
    row.traded_at as Date,
    String(row.id),
  ]);
  return {
    items: shown.map(presentFill),
    pagination,
    generated_at: clock.now().toISOString(),
  };
}

function statementFor(query: FillsQuery) {
  const values = createValues();
  const conditions: string[] = [];
  for (const name of ['grid_id', 'symbol', 'side'] as const) {
    if (query[name] !== undefined) conditions.push(`t.${name} = ${values.add(query[name])}`);
  }
  const { where, orderAndLimit } = timeOrderSql(values, query, { at: 'traded_at', conditions });
  const text = `
    SELECT t.id, t.trade_id, t.grid_id, g.name AS grid_name, t.exchange, g.simulated, t.symbol, t.side, t.price,
      t.amount, t.price * t.amount AS value, t.fee, t.fee_asset, t.order_id, t.client_order_id, t.traded_at
    FROM trade t JOIN grid g ON g.grid_id = t.grid_id ${where}
    ${orderAndLimit}`;
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
