import { type Decimal, decimal } from '../../../decimal';
import type { OpenOrder } from '../../../exchange/port';

export interface GridIdentity {
  prefix: string;
  tick: Decimal;
  levels: readonly Decimal[];
}

export interface MatchedOrders {
  byLevel: Map<number, OpenOrder>;
  unknown: OpenOrder[];
}

export function isOwnOrder(prefix: string, clientOrderId: string | null): boolean {
  return clientOrderId?.startsWith(`${prefix}-`) ?? false;
}

export function levelAt({ levels, tick }: GridIdentity, price: Decimal): number | null {
  const half = tick.div(2);
  const index = levels.findIndex((level) => level.minus(price).abs().lte(half));
  return index === -1 ? null : index;
}

/** Matches an order without a client id if its price is within half a tick of a level. */
export function matchOrders(grid: GridIdentity, orders: readonly OpenOrder[]): MatchedOrders {
  const byLevel = new Map<number, OpenOrder>();
  const unknown: OpenOrder[] = [];
  for (const order of orders) {
    const own = isOwnOrder(grid.prefix, order.clientOrderId);
    if (!own && order.clientOrderId) continue;
    const level = levelAt(grid, decimal(order.price));
    if (level !== null && !byLevel.has(level)) byLevel.set(level, order);
    else if (own) unknown.push(order);
  }
  return { byLevel, unknown };
}
