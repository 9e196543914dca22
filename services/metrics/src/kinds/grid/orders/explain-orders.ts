import { type Decimal, decimal, decimalText } from '../../../decimal';
import { asFailure, ExchangeFailure } from '../../../exchange/failure';
import type { ExchangeTrade, OpenOrder } from '../../../exchange/port';
import type { Round } from '../../kind';
import type { GridRow } from '../read-grids';

/**
 * In ms. Period that is read again, because exchanges report some fills late; repeated fills count
 * once.
 */
export const OVERLAP_MS = 10 * 60_000;
const LONGEST_SEARCH_MS = 20 * 86_400_000;
const MOST_ASKED = 10;

export interface Explained {
  late: ExchangeTrade[];
  settled: string[];
  unexplained: UnexplainedOrder[];
  failures: ExchangeFailure[];
  lookedAt: number;
}

export interface UnexplainedOrder {
  orderId: string;
  reason: string;
}

interface Seen {
  orders: readonly OpenOrder[];
  trades: readonly ExchangeTrade[];
  since: number;
}

/**
 * Compares each order that left the book with its fills, and searches for missing fills of any age.
 * An unexplained order causes a warning, and a failure once the usual delay of exchanges has
 * passed.
 */
export async function explainOrders(round: Round, grid: GridRow, seen: Seen): Promise<Explained> {
  const gone = await vanishedOrders(round, grid, seen.orders);
  const fills = await knownFills(round, grid, gone, seen.trades);
  const lookedAt = round.exchange.time();
  const explained: Explained = {
    ...{ late: [], settled: [], unexplained: [], failures: [] },
    lookedAt,
  };
  const filled = await askForFilled(round, grid, gone, fills, explained);
  const isOpen = ({ orderId }: Vanished) => {
    const expected = filled.get(orderId);
    return expected !== undefined && !sumOf(fills, orderId).eq(expected);
  };
  const missing = gone.filter(isOpen);
  explained.late = await lateFills(round, grid, missing, seen.since);
  for (const { tradeId, orderId, amount } of explained.late)
    fills.set(tradeId, { orderId, amount });
  for (const order of gone) {
    const { orderId, goneAt } = order;
    const expected = filled.get(orderId);
    if (expected === undefined) continue;
    if (!isOpen(order)) {
      explained.settled.push(orderId);
      continue;
    }
    const counted = decimalText(sumOf(fills, orderId));
    const reason = `the exchange reports ${decimalText(expected)} of order ${orderId} as filled, but its fills add up to ${counted}`;
    explained.unexplained.push({ orderId, reason });
    if (goneAt && lookedAt - goneAt.getTime() >= OVERLAP_MS) {
      explained.failures.push(new ExchangeFailure('unexplained', grid.gridId, reason));
    }
  }
  return explained;
}

interface Vanished {
  orderId: string;
  clientOrderId: string;
  price: string | null;
  amount: string | null;
  seenAt: Date;
  goneAt: Date | null;
  lot: number;
}

const VANISHED = `
  SELECT order_id AS "orderId", client_order_id AS "clientOrderId", price, amount, seen_at AS "seenAt",
    gone_at AS "goneAt", random() AS lot
  FROM exchange_order
  WHERE exchange = $1 AND symbol = $2 AND is_open AND starts_with(client_order_id, $3) AND order_id <> ALL($4)
  ORDER BY seen_at, order_id`;

async function vanishedOrders(
  { db }: Round,
  { exchange, symbol, clientOrderPrefix }: GridRow,
  orders: readonly OpenOrder[],
): Promise<Vanished[]> {
  const open = orders.map(({ orderId }) => orderId);
  const values = [exchange, symbol, `${clientOrderPrefix}-`, open];
  return (await db.pool.query<Vanished>(VANISHED, values)).rows;
}

type Fills = Map<string, Pick<ExchangeTrade, 'orderId' | 'amount'>>;

const FILLS = `
  SELECT trade_id AS "tradeId", order_id AS "orderId", amount FROM trade
  WHERE grid_id = $1 AND traded_at >= $2 AND order_id = ANY($3)`;

async function knownFills(
  { db }: Round,
  { gridId }: GridRow,
  gone: readonly Vanished[],
  trades: readonly ExchangeTrade[],
): Promise<Fills> {
  if (gone.length === 0) return new Map();
  const ids = gone.map(({ orderId }) => orderId);
  const values = [gridId, new Date(searchFrom(gone)), ids];
  const { rows } = await db.pool.query<Pick<ExchangeTrade, 'tradeId' | 'orderId' | 'amount'>>(
    FILLS,
    values,
  );
  return new Map([...rows, ...trades].map((fill) => [fill.tradeId, fill]));
}

const searchFrom = (orders: readonly Vanished[]): number =>
  Math.min(
    ...orders.map(({ seenAt, goneAt }) =>
      Math.max(seenAt.getTime(), (goneAt?.getTime() ?? 0) - LONGEST_SEARCH_MS),
    ),
  ) - OVERLAP_MS;

const sumOf = (fills: Fills, id: string): Decimal =>
  [...fills.values()]
    .filter(({ orderId }) => orderId === id)
    .reduce((sum, { amount }) => sum.plus(amount), decimal(0));

/**
 * Returns the filled amount of each order: the full amount if the fills add up to it, otherwise the
 * filled amount that the exchange reports. An order that the exchange does not find was cancelled
 * unfilled. Requests are in random order, so that unexplained orders do not block others.
 */
async function askForFilled(
  round: Round,
  { gridId, symbol }: GridRow,
  gone: readonly Vanished[],
  fills: Fills,
  { failures }: Explained,
): Promise<Map<string, Decimal>> {
  const filled = new Map<string, Decimal>();
  const unclear: Vanished[] = [];
  for (const order of gone) {
    const { orderId, amount } = order;
    const isAll = amount !== null && sumOf(fills, orderId).eq(amount);
    if (isAll) filled.set(orderId, decimal(amount));
    else unclear.push(order);
  }
  const asked = unclear.sort((one, other) => one.lot - other.lot).slice(0, MOST_ASKED);
  await Promise.all(
    asked.map(async ({ orderId }) => {
      try {
        const order = await round.exchange.order(symbol, orderId, round.signal);
        const known = order ? order.filled : decimalText(sumOf(fills, orderId));
        if (known !== null) filled.set(orderId, decimal(known));
        else failures.push(new ExchangeFailure('malformed', gridId, noAmount(orderId)));
      } catch (error) {
        failures.push(asFailure(error, gridId));
      }
    }),
  );
  return filled;
}

const noAmount = (orderId: string) =>
  `the exchange does not report how much of order ${orderId} was filled`;

/** Skips fills of the deleted period, because the books can no longer include them. */
async function lateFills(
  { exchange, signal }: Round,
  grid: GridRow,
  missing: readonly Vanished[],
  readSince: number,
): Promise<ExchangeTrade[]> {
  const since = searchFrom(missing);
  if (missing.length === 0 || since >= readSince) return [];
  const { trades } = await exchange.trades(grid.symbol, since, signal);
  const deleted = Number(grid.fillsDeletedUntil);
  const byId = new Map(missing.map((order) => [order.orderId, order]));
  return trades.flatMap((trade) => {
    const order = byId.get(trade.orderId ?? '');
    if (!order || trade.time <= deleted) return [];
    return { ...trade, clientOrderId: order.clientOrderId, orderPrice: order.price };
  });
}
