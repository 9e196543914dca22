import { decimal } from '../../decimal';
import type { PricePath } from './price-path';

const MINUTE = 60_000;
const LONGEST_WALK = 20_000;

export interface Book {
  prefix: string;
  levels: readonly string[];
  amount: string;
  feeRate: string;
  advancedTo: number;
  sequence: number;
}

export interface BookOrder {
  orderId: string;
  level: number;
  side: 'buy' | 'sell';
  price: string;
  amount: string;
  placedAt: number;
}

interface BookFill {
  order: BookOrder;
  time: number;
  fee: string;
}

export interface Advanced {
  advancedTo: number;
  sequence: number;
  placed: BookOrder[];
  fills: BookFill[];
}

/**
 * Returns the next order on `level`. Its id depends only on the book, so a repeated walk returns
 * the same id.
 */
export function orderOn(
  book: Pick<Book, 'prefix' | 'levels' | 'amount'>,
  sequence: number,
  level: number,
  side: 'buy' | 'sell',
  placedAt: number,
): BookOrder {
  const price = book.levels[level] as string;
  const orderId = `${book.prefix}-${level}-${sequence}`;
  return { orderId, level, side, price, amount: book.amount, placedAt };
}

/**
 * Follows the price minute by minute from the book's time: an order fills when the price reaches
 * it, and its counter order is placed one level away. The result does not depend on the number of
 * calls.
 */
export function advanceBook(
  book: Book,
  open: readonly BookOrder[],
  path: PricePath,
  now: number,
): Advanced {
  const waiting = new Map(open.map((order) => [order.level, order]));
  const prices = book.levels.map(Number);
  const done: Advanced = { ...book, placed: [], fills: [] };
  let time = Math.floor(book.advancedTo / MINUTE) * MINUTE;
  const end = Math.min(Math.floor(now / MINUTE), time / MINUTE + LONGEST_WALK) * MINUTE;

  const fill = (level: number, to: number) => {
    const order = waiting.get(level) as BookOrder;
    const fee = decimal(order.price).times(order.amount).times(book.feeRate).toFixed(18);
    done.fills.push({ order, time: to, fee });
    waiting.delete(level);
    const next = order.side === 'buy' ? level + 1 : level - 1;
    if (waiting.has(next) || next < 0 || next >= prices.length) return;
    const side = order.side === 'buy' ? 'sell' : 'buy';
    const counter = orderOn(book, ++done.sequence, next, side, to);
    waiting.set(next, counter);
    done.placed.push(counter);
  };

  for (let from = path(time); time < end; ) {
    const to = time + MINUTE;
    const price = path(to);
    const side = price < from ? 'buy' : 'sell';
    const isReached = (level: number) =>
      side === 'buy' ? price <= (prices[level] as number) : price >= (prices[level] as number);
    const levels = [...waiting.values()]
      .filter((order) => order.side === side && isReached(order.level))
      .map((order) => order.level)
      .sort((a, b) => (side === 'buy' ? b - a : a - b));
    for (const level of levels) fill(level, to);
    from = price;
    time = to;
  }
  done.advancedTo = Math.max(time, book.advancedTo);
  return done;
}
