import type { ExchangeTrade, OpenOrder } from '../../exchange/port';
import type { Round } from '../kind';

/**
 * The trades with the client id of their order, by which a grid knows its own: most exchanges put only the order's own
 * id into a trade. An order that was seen open is known by its id; another one is asked for once.
 */
export async function nameOrders(
  round: Round,
  symbol: string,
  orders: readonly OpenOrder[],
  trades: readonly ExchangeTrade[],
): Promise<ExchangeTrade[]> {
  await remember(round, symbol, orders);
  const unnamed = trades.flatMap(({ orderId, clientOrderId }) =>
    orderId !== null && clientOrderId === null ? [orderId] : [],
  );
  if (unnamed.length === 0) return [...trades];
  const names = await namesOf(round, symbol, [...new Set(unnamed)]);
  return trades.map((trade) => ({
    ...trade,
    clientOrderId: trade.clientOrderId ?? names.get(trade.orderId ?? '') ?? null,
  }));
}

type Named = Pick<OpenOrder, 'orderId' | 'clientOrderId'>;

async function remember(
  { clock, db, exchange }: Round,
  symbol: string,
  orders: readonly Named[],
): Promise<void> {
  if (orders.length === 0) return;
  const ids = orders.map(({ orderId }) => orderId);
  const names = orders.map(({ clientOrderId }) => clientOrderId);
  await db.pool.query(
    `INSERT INTO exchange_order (exchange, symbol, order_id, client_order_id, seen_at)
     SELECT $1, $2, order_id, client_order_id, $3
     FROM unnest($4::text[], $5::text[]) AS seen (order_id, client_order_id)
     ORDER BY order_id ON CONFLICT DO NOTHING`,
    [exchange.name, symbol, clock.now(), ids, names],
  );
}

async function namesOf(
  round: Round,
  symbol: string,
  orderIds: readonly string[],
): Promise<Map<string, string | null>> {
  const { db, exchange } = round;
  const { rows: known } = await db.pool.query<{ order_id: string; name: string | null }>(
    `SELECT order_id, client_order_id AS name FROM exchange_order
     WHERE exchange = $1 AND symbol = $2 AND order_id = ANY($3)`,
    [exchange.name, symbol, orderIds],
  );
  const names = new Map(known.map(({ order_id, name }) => [order_id, name]));
  const missing = orderIds.filter((orderId) => !names.has(orderId));
  const asked = await Promise.all(
    missing.map(async (orderId) => [orderId, await askOnce(round, symbol, orderId)] as const),
  );
  return new Map([...names, ...asked]);
}

/** Grids of one symbol see the same trades. */
const asking = new WeakMap<Round, Map<string, Promise<string | null>>>();

function askOnce(round: Round, symbol: string, orderId: string): Promise<string | null> {
  const known = asking.get(round) ?? new Map<string, Promise<string | null>>();
  asking.set(round, known);
  const key = `${symbol} ${orderId}`;
  const name = known.get(key) ?? askAndRemember(round, symbol, orderId);
  known.set(key, name);
  return name;
}

/** What was found stays found when the time of the collection ends before the rest is. */
async function askAndRemember(round: Round, symbol: string, orderId: string) {
  const clientOrderId = await round.exchange.clientOrderIdOf(symbol, orderId, round.signal);
  await remember(round, symbol, [{ orderId, clientOrderId }]);
  return clientOrderId;
}
