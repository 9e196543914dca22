import { ApiError } from '@switchyard/server';
import { z } from 'zod';
import { decimal } from '../decimal';
import { ExchangeFailure } from '../exchange/failure';
import { presentOwner } from '../exchange/owner';
import type { OpenOrder } from '../exchange/port';
import { storableText } from '../http/fields';
import { isOwnOrder, levelAt } from '../kinds/grid/orders/match-orders';
import { type GridRow, readActiveGrids } from '../kinds/grid/read-grids';
import type { Resources } from '../resources';

export const ordersQuery = z.strictObject({
  symbol: storableText(64).optional(),
  account: storableText(32).optional(),
});

const order = z.object({
  order_id: z.string(),
  client_order_id: z.string().nullable(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  price: z.string(),
  amount: z.string(),
  grid_id: z.string().nullable(),
  level: z.number().nullable(),
});

export const ordersResponse = z.object({
  items: z.array(order),
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  generated_at: z.string(),
});

export async function listOrders(
  { clock, config, db, exchange }: Resources,
  { symbol }: z.output<typeof ordersQuery>,
): Promise<z.output<typeof ordersResponse>> {
  const { name, simulated } = exchange;
  if (!exchange.hasAccount)
    throw new ApiError(
      'conflict',
      'open orders can only be read with an API key of the exchange, and none is configured',
    );
  const grids = await readActiveGrids(db.pool, exchange);
  const symbols = symbol === undefined ? [...new Set(grids.map((grid) => grid.symbol))] : [symbol];
  const signal = AbortSignal.timeout(config.componentTimeoutMs);
  const found = await Promise.all(
    symbols.map(async (one) => {
      const orders = await exchange.openOrders(one, signal).catch(refuse);
      return orders.map((open) => presentOrder(open, one, grids));
    }),
  );
  return {
    items: found.flat(),
    ...presentOwner(name),
    simulated,
    generated_at: clock.now().toISOString(),
  };
}

function refuse(error: unknown): never {
  if (!(error instanceof ExchangeFailure)) throw error;
  if (error.code === 'bad_symbol') throw new ApiError('not_found', error.message);
  throw new ApiError('unavailable', `the exchange does not respond: ${error.code}`);
}

function presentOrder(open: OpenOrder, symbol: string, grids: readonly GridRow[]) {
  const { orderId, clientOrderId, side, price, amount } = open;
  const grid = grids.find(
    (one) => one.symbol === symbol && isOwnOrder(one.clientOrderPrefix, clientOrderId),
  );
  const identity = grid && {
    prefix: grid.clientOrderPrefix,
    tick: decimal(grid.tickSize),
    levels: grid.levels.map(decimal),
  };
  return {
    ...{ symbol, side, price, amount },
    order_id: orderId,
    client_order_id: clientOrderId,
    grid_id: grid?.gridId ?? null,
    level: identity ? levelAt(identity, decimal(price)) : null,
  };
}
