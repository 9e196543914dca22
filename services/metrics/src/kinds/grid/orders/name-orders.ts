import { decimal, decimalText } from '../../../decimal';
import type { ExchangeTrade, OpenOrder } from '../../../exchange/port';
import type { Round } from '../../kind';
import { isOwnOrder } from './match-orders';

/**
 * Adds the order's client id and price to each trade. A grid needs both to recognise its trades and
 * their levels, but most exchanges report only the order id. Stores orders that were seen open, and
 * requests every other order once.
 */
export async function nameOrders(
  round: Round,
  { symbol, clientOrderPrefix }: { symbol: string; clientOrderPrefix: string },
  orders: readonly OpenOrder[],
  trades: readonly ExchangeTrade[],
): Promise<ExchangeTrade[]> {
  const seen = orders.map((order) => watched(clientOrderPrefix, order, trades));
  await remember(round, symbol, seen);
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

type Named = Pick<OpenOrder, 'orderId' | 'clientOrderId'> & { price: string | null };

interface Watched extends Named {
  amount: string;
  isWatched: boolean;
}

const REMEMBER = `
  INSERT INTO exchange_order AS known (exchange, symbol, order_id, client_order_id, price, amount, is_open, seen_at)
  SELECT $1, $2, order_id, client_order_id, price, amount, is_open, $3
  FROM json_to_recordset($4::json)
    AS seen (order_id text, client_order_id text, price numeric, amount numeric, is_open boolean)
  ORDER BY order_id
  ON CONFLICT (exchange, symbol, order_id) DO UPDATE SET amount = excluded.amount, is_open = true, gone_at = NULL
  WHERE excluded.is_open AND (known.amount IS NULL OR known.gone_at IS NOT NULL)`;

async function remember(
  { db, exchange }: Round,
  symbol: string,
  orders: readonly (Named | Watched)[],
): Promise<void> {
  if (orders.length === 0) return;
  const rows = orders.map(({ orderId, clientOrderId, price, ...more }) => ({
    ...{ order_id: orderId, client_order_id: clientOrderId },
    price: Number(price) > 0 ? price : null,
    amount: 'amount' in more ? more.amount : null,
    is_open: 'isWatched' in more && more.isWatched,
  }));
  const now = new Date(exchange.time());
  await db.pool.query(REMEMBER, [exchange.name, symbol, now, JSON.stringify(rows)]);
}

/**
 * Skips orders that had fills before they were first seen, because those fills may be older than
 * the grid.
 */
function watched(
  prefix: string,
  { filled, ...order }: OpenOrder,
  trades: readonly ExchangeTrade[],
): Named | Watched {
  if (!isOwnOrder(prefix, order.clientOrderId)) return { ...order, amount: null } as Named;
  const seen = trades
    .filter(({ orderId }) => orderId === order.orderId)
    .reduce((sum, { amount }) => sum.plus(amount), decimal(0));
  return { ...order, isWatched: filled !== null && seen.gte(filled) };
}

async function ordersOf(
  round: Round,
  symbol: string,
  orderIds: readonly string[],
): Promise<Map<string, Named>> {
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
  const known = new Map<string, Named>(
    rows.map(({ order_id, name, price }) => [
      order_id,
      { orderId: order_id, clientOrderId: name, price: price && decimalText(price) },
    ]),
  );
  const missing = orderIds.filter((orderId) => !known.has(orderId));
  const asked = await Promise.all(
    missing.map(async (orderId) => [orderId, await askOnce(round, symbol, orderId)] as const),
  );
  return new Map([...known, ...asked]);
}

const asking = new WeakMap<Round, Map<string, Promise<Named>>>();

function askOnce(round: Round, symbol: string, orderId: string): Promise<Named> {
  const known = asking.get(round) ?? new Map<string, Promise<Named>>();
  asking.set(round, known);
  const key = `${symbol} ${orderId}`;
  const order = known.get(key) ?? askAndRemember(round, symbol, orderId);
  known.set(key, order);
  return order;
}

async function askAndRemember(round: Round, symbol: string, orderId: string): Promise<Named> {
  const order = await round.exchange.order(symbol, orderId, round.signal);
  const named = {
    orderId,
    clientOrderId: order?.clientOrderId ?? null,
    price: order?.price ?? null,
  };
  await remember(round, symbol, [named]);
  return named;
}
