import { z } from 'zod';
import { readInOrder, timeOrderPagination, timeOrderQuery } from '../history/time-order';
import { gridId, storableText } from '../http/fields';
import type { Resources } from '../resources';

export const fillsQuery = z.strictObject({
  grid_id: gridId.optional(),
  symbol: storableText(64).optional(),
  side: z.enum(['buy', 'sell']).optional(),
  ...timeOrderQuery,
});

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

export const listFills = (resources: Resources, query: z.output<typeof fillsQuery>) =>
  readInOrder<z.output<typeof fill>>(resources, query, {
    at: 'traded_at',
    from: 'trade t JOIN grid g ON g.grid_id = t.grid_id',
    columns: `t.trade_id, t.grid_id, g.name AS grid_name, g.simulated, t.symbol, t.side, t.price, t.amount,
      t.price * t.amount AS value, t.fee, t.fee_asset, t.order_id, t.client_order_id`,
    filters: ['grid_id', 'symbol', 'side'],
    decimals: ['price', 'amount', 'value', 'fee'],
  });
