import { advanceBook, type Book, type BookOrder, orderOn } from './advance-book';
import { createPricePath } from './price-path';

const MINUTE = 60_000;
const book: Book = {
  prefix: 'g',
  levels: ['90', '100', '110', '120'],
  amount: '2',
  feeRate: '0.001',
  advancedTo: 0,
  sequence: 4,
};
const open = (): BookOrder[] => [
  orderOn(book, 1, 0, 'buy', 0),
  orderOn(book, 2, 1, 'buy', 0),
  orderOn(book, 4, 3, 'sell', 0),
];
const path =
  (...prices: number[]) =>
  (time: number) =>
    prices[Math.min(Math.floor(time / MINUTE), prices.length - 1)] as number;

describe('advanceBook', () => {
  it('fills orders that the price reaches and places each counter order one level away', () => {
    const done = advanceBook(book, open(), path(109, 99, 111, 109), 3 * MINUTE);
    expect(done.fills.map(({ order, fee }) => [order.side, order.price, fee])).toEqual([
      ['buy', '100', '0.200000000000000000'],
      ['sell', '110', '0.220000000000000000'],
    ]);
    expect(done.placed.map((order) => [order.side, order.price])).toEqual([
      ['sell', '110'],
      ['buy', '100'],
    ]);
    expect(done.advancedTo).toBe(3 * MINUTE);
  });

  it('fills the levels that one price move crosses in the order of the move', () => {
    const done = advanceBook(book, open(), path(109, 80), MINUTE);
    expect(done.fills.map(({ order }) => order.price)).toEqual(['100', '90']);
    expect(done.placed.map((order) => order.price)).toEqual(['110', '100']);
  });

  it('returns the same fills in one call as in calls every 37 minutes', () => {
    const real = createPricePath(7, 'BTC/USDT');
    const start = Date.UTC(2026, 2, 1);
    const mid = real(start);
    const levels = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((n) => (mid * (1 + n / 200)).toFixed(2));
    const wide: Book = { ...book, levels, advancedTo: start, sequence: 9 };
    const orders = levels.flatMap((_, level) =>
      level === 4 ? [] : [orderOn(wide, level, level, level < 4 ? 'buy' : 'sell', start)],
    );
    const end = start + 5 * 24 * 60 * MINUTE;
    const whole = advanceBook(wide, orders, real, end);
    expect(whole.fills.length).toBeGreaterThan(10);

    let now = { ...wide };
    let waiting = [...orders];
    const fills: string[] = [];
    for (let time = start; time < end; ) {
      time = Math.min(end, time + 37 * MINUTE + 13_000);
      const step = advanceBook(now, waiting, real, time);
      const gone = new Set(step.fills.map(({ order }) => order.orderId));
      fills.push(...step.fills.map(({ order, time: at }) => `${order.orderId} ${at}`));
      waiting = [...waiting, ...step.placed].filter(({ orderId }) => !gone.has(orderId));
      now = { ...now, advancedTo: step.advancedTo, sequence: step.sequence };
    }
    expect(fills).toEqual(whole.fills.map(({ order, time }) => `${order.orderId} ${time}`));
    expect(waiting).toHaveLength(8);
  });
});
