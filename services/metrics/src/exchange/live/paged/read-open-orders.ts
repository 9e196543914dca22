import type { Exchange as CcxtExchange } from 'ccxt';
import { decimalText, readDecimal } from '../../../decimal';
import { malformed } from '../../failure';
import type { KnownOrder, OpenOrder } from '../../port';
import { readName } from '../../read-name';
import { readPages } from './read-pages';
import { readSide } from './read-trades';

type RawOrders = Awaited<ReturnType<CcxtExchange['fetchOpenOrders']>>;

export type OrdersSource = Pick<CcxtExchange, 'id' | 'fetchOpenOrders'>;

export async function readOpenOrders(
  ccxt: OrdersSource,
  symbol: string,
  call: (ask: () => Promise<RawOrders>) => Promise<RawOrders>,
): Promise<OpenOrder[]> {
  const { rows, isWhole } = await readPages(ccxt.id, 'orders', 0, (more, limit) =>
    call(() => ccxt.fetchOpenOrders(symbol, undefined, limit, more)),
  );
  if (!isWhole) throw malformed(symbol, 'there are more open orders than the service reads');
  return rows.map(orderOf);
}

const filledOf = ({ filled }: RawOrders[number]): string | null => {
  const read = readDecimal(filled);
  return read?.gte(0) ? decimalText(read) : null;
};

export function knownOrder(order: RawOrders[number]): KnownOrder {
  const limit = readDecimal(order.price);
  return {
    clientOrderId: readName(order.clientOrderId),
    price: limit?.gt(0) ? decimalText(limit) : null,
    filled: filledOf(order),
  };
}

/**
 * A market order has the price 0.
 * @throws ExchangeFailure `malformed`
 */
function orderOf(order: RawOrders[number]): OpenOrder {
  const side = readSide(order.side);
  const amount = readDecimal(order.amount);
  const orderId = readName(order.id);
  if (!side || !orderId || !amount?.gt(0)) {
    throw malformed(String(order.symbol), 'an open order has no valid id, side or amount');
  }
  return {
    orderId,
    clientOrderId: readName(order.clientOrderId),
    side,
    price: decimalText(readDecimal(order.price) ?? 0),
    amount: decimalText(amount),
    filled: filledOf(order),
  };
}
