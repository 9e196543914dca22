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
  const common = { exchange: exchange.name, symbol, seenAt: clock.now() };
  const data = orders.map(({ orderId, clientOrderId }) => ({ ...common, orderId, clientOrderId }));
  await db.client.exchangeOrder.createMany({ data, skipDuplicates: true });
}

async function namesOf(
  round: Round,
  symbol: string,
  orderIds: readonly string[],
): Promise<Map<string, string | null>> {
  const { db, exchange } = round;
  const known = await db.client.exchangeOrder.findMany({
    where: { exchange: exchange.name, symbol, orderId: { in: [...orderIds] } },
  });
  const names = new Map(known.map(({ orderId, clientOrderId }) => [orderId, clientOrderId]));
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
