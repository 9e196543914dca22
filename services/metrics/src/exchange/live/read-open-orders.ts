import type { Exchange as CcxtExchange } from 'ccxt';
import { decimalText, readDecimal } from '../../decimal';
import { malformed } from '../failure';
import type { KnownOrder, OpenOrder } from '../port';
import { readName } from '../read-name';
import { readSide } from './read-trades';

type RawOrders = Awaited<ReturnType<CcxtExchange['fetchOpenOrders']>>;

/** What reading open orders needs of the library. */
export type OrdersSource = Pick<CcxtExchange, 'id' | 'fetchOpenOrders'>;

/** Exchanges that show open orders in pages, which the library can walk by their cursor. */
const BY_CURSOR = ['bybit', 'coinbase'];
const OKX_PAGE = 100;
const MOST_PAGES = 20;

/** All own open orders of a symbol, however many there are. */
export async function readOpenOrders(
  ccxt: OrdersSource,
  symbol: string,
  call: (ask: () => Promise<RawOrders>) => Promise<RawOrders>,
): Promise<OpenOrder[]> {
  if (ccxt.id === 'okx') return (await okxPages(ccxt, symbol, call)).map(orderOf);
  const more = BY_CURSOR.includes(ccxt.id) ? { paginate: true, paginationCalls: MOST_PAGES } : {};
  const ask = () => ccxt.fetchOpenOrders(symbol, undefined, undefined, more);
  return (await call(ask)).map(orderOf);
}

/** The library would page by time, which this call of OKX does not take. */
async function okxPages(
  ccxt: OrdersSource,
  symbol: string,
  call: (ask: () => Promise<RawOrders>) => Promise<RawOrders>,
): Promise<RawOrders> {
  const found: RawOrders = [];
  let after: bigint | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const more = after === null ? {} : { after: String(after) };
    const rows = await call(() => ccxt.fetchOpenOrders(symbol, undefined, OKX_PAGE, more));
    found.push(...rows);
    if (rows.length < OKX_PAGE) return found;
    // The library may have turned their order: the next page begins before the oldest.
    for (const { id } of rows) {
      if (after === null || BigInt(String(id)) < after) after = BigInt(String(id));
    }
  }
  throw malformed(symbol, 'more open orders than can be read');
}

export function knownOrder({ clientOrderId, price }: RawOrders[number]): KnownOrder {
  const limit = readDecimal(price);
  return {
    clientOrderId: readName(clientOrderId),
    price: limit?.gt(0) ? decimalText(limit) : null,
  };
}

/** @throws ExchangeFailure `malformed`; an order that is executed at the market has price 0 */
function orderOf(order: RawOrders[number]): OpenOrder {
  const side = readSide(order.side);
  const amount = readDecimal(order.amount);
  const orderId = readName(order.id);
  if (!side || !orderId || !amount?.gt(0)) {
    throw malformed(String(order.symbol), 'an open order without id, side or amount');
  }
  return {
    orderId,
    clientOrderId: readName(order.clientOrderId),
    side,
    price: decimalText(readDecimal(order.price) ?? 0),
    amount: decimalText(amount),
  };
}
