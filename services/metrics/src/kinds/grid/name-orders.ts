import { decimalText } from '../../decimal';
import type { ExchangeTrade, KnownOrder, OpenOrder } from '../../exchange/port';
import type { Round } from '../kind';
import { isOwnOrder } from './match-orders';

/**
 * The trades with the client id of their order, by which a grid knows its own, and with its price, which says its level:
 * most exchanges put only the order's own id into a trade. An order that was seen open is known by its id; another one is
 * asked for once.
 */
export async function nameOrders(
  round: Round,
  { symbol, clientOrderPrefix }: { symbol: string; clientOrderPrefix: string },
  orders: readonly OpenOrder[],
  trades: readonly ExchangeTrade[],
): Promise<ExchangeTrade[]> {
  await remember(round, symbol, orders);
  const isForeign = ({ clientOrderId }: ExchangeTrade) =>
    clientOrderId !== null && !isOwnOrder(clientOrderPrefix, clientOrderId);
  const wanted = trades.flatMap((trade) => (isForeign(trade) ? [] : (trade.orderId ?? [])));
  if (wanted.length === 0) return [...trades];
  const known = await ordersOf(round, symbol, [...new Set(wanted)]);
  return trades.map((trade) => {
    const order = known.get(trade.orderId ?? '');
    return {
      ...trade,
      clientOrderId: trade.clientOrderId ?? order?.clientOrderId ?? null,
      orderPrice: order?.price ?? null,
    };
  });
}

type Named = Pick<OpenOrder, 'orderId'> & KnownOrder;

async function remember(
  { clock, db, exchange }: Round,
  symbol: string,
  orders: readonly Named[],
): Promise<void> {
  if (orders.length === 0) return;
  const ids = orders.map(({ orderId }) => orderId);
  const names = orders.map(({ clientOrderId }) => clientOrderId);
  const prices = orders.map(({ price }) => (Number(price) > 0 ? price : null));
  await db.pool.query(
    `INSERT INTO exchange_order (exchange, symbol, order_id, client_order_id, price, seen_at)
     SELECT $1, $2, order_id, client_order_id, price, $3
     FROM unnest($4::text[], $5::text[], $6::numeric[]) AS seen (order_id, client_order_id, price)
     ORDER BY order_id ON CONFLICT DO NOTHING`,
    [exchange.name, symbol, clock.now(), ids, names, prices],
  );
}

async function ordersOf(
  round: Round,
  symbol: string,
  orderIds: readonly string[],
): Promise<Map<string, KnownOrder>> {
  const { db, exchange } = round;
  const { rows } = await db.pool.query<{
    order_id: string;
    name: string | null;
    price: string | null;
  }>(
    `SELECT order_id, client_order_id AS name, price FROM exchange_order
     WHERE exchange = $1 AND symbol = $2 AND order_id = ANY($3)`,
    [exchange.name, symbol, orderIds],
  );
  const known = new Map<string, KnownOrder>(
    rows.map(({ order_id, name, price }) => [
      order_id,
      { clientOrderId: name, price: price && decimalText(price) },
    ]),
  );
  const missing = orderIds.filter((orderId) => !known.has(orderId));
  const asked = await Promise.all(
    missing.map(async (orderId) => [orderId, await askOnce(round, symbol, orderId)] as const),
  );
  return new Map([...known, ...asked]);
}

/** Grids of one symbol see the same trades. */
const asking = new WeakMap<Round, Map<string, Promise<KnownOrder>>>();

function askOnce(round: Round, symbol: string, orderId: string): Promise<KnownOrder> {
  const known = asking.get(round) ?? new Map<string, Promise<KnownOrder>>();
  asking.set(round, known);
  const key = `${symbol} ${orderId}`;
  const order = known.get(key) ?? askAndRemember(round, symbol, orderId);
  known.set(key, order);
  return order;
}

const FORGOTTEN: KnownOrder = { clientOrderId: null, price: null };

/** What was found stays found when the time of the collection ends before the rest is. */
async function askAndRemember(round: Round, symbol: string, orderId: string) {
  const order = (await round.exchange.order(symbol, orderId, round.signal)) ?? FORGOTTEN;
  await remember(round, symbol, [{ orderId, ...order }]);
  return order;
}
