import { type Decimal, decimal } from '../../decimal';
import type { OpenOrder } from '../../exchange/port';
import { applyFill, EMPTY_LEDGER } from './books/ledger';
import type { Fill } from './books/trips';
import { gridStatus } from './grid-status';
import { areDistinct, levelPrices } from './levels';

const levels = [100, 110, 120, 130, 140].map(decimal);
const order = (price: number, side: 'buy' | 'sell', clientOrderId: string | null): OpenOrder => ({
  orderId: `o${price}`,
  clientOrderId,
  side,
  price: String(price),
  amount: '1',
  filled: '0',
});
const ours = (price: number, side: 'buy' | 'sell') => order(price, side, `g1-${price}`);
const status = (orders: OpenOrder[], mark: number, ledger = EMPTY_LEDGER) =>
  gridStatus({
    prefix: 'g1',
    tick: decimal('0.01'),
    levels,
    orders,
    unexplained: [],
    ledger,
    mark: decimal(mark),
    capital: decimal(480),
    orderAmount: decimal(1),
  });

describe('gridStatus', () => {
  it('expects an order on every level except the level nearest to the price', () => {
    const found = status(
      [ours(100, 'buy'), ours(110, 'buy'), ours(130, 'sell'), ours(140, 'sell')],
      121,
    );
    expect(found).toMatchObject({
      expectedOrders: 4,
      openBuyOrders: 2,
      openSellOrders: 2,
      missingOrders: 0,
      unknownOrders: 0,
      levelsByState: { open: 4, idle: 1, missing: 0 },
      outOfRange: 'none',
      rangePosition: 0.525,
      pnlPct: 0,
    });
  });

  it('accepts a missing order on either of the two levels around the price', () => {
    const orders = [ours(100, 'buy'), ours(120, 'sell'), ours(130, 'sell'), ours(140, 'sell')];
    expect(status(orders, 116)).toMatchObject({ missingOrders: 0 });
  });

  it('counts missing orders, and the grid’s orders that are on no level', () => {
    const orders = [
      ours(100, 'buy'),
      ours(115, 'buy'),
      ours(140, 'sell'),
      order(130, 'sell', 'x-1'),
    ];
    const found = status(orders, 121);
    expect(found).toMatchObject({ missingOrders: 2, unknownOrders: 1 });
    expect(found.levels.map((level) => level.state)).toEqual([
      'open',
      'missing',
      'idle',
      'missing',
      'open',
    ]);
  });

  it('matches an order without a client id to a level within half a tick', () => {
    expect(status([order(100.004, 'buy', null)], 121).openBuyOrders).toBe(1);
    expect(status([order(100.006, 'buy', null)], 121).openBuyOrders).toBe(0);
  });

  it('warns that the fills of orders without a client id are not counted', () => {
    expect(status([order(100, 'buy', null)], 121).warnings).toEqual([
      expect.stringMatching(/without a client id .* fills are not counted/),
    ]);
    expect(status([ours(100, 'buy'), order(117, 'buy', null)], 121).warnings).toEqual([]);
  });

  it('counts a round trip per order, not per fill, if the sale is one level above the buy', () => {
    const fill = (side: Fill['side'], level: number | null, price: number, amount: number) => ({
      ...{ side, level, price: decimal(price), amount: decimal(amount) },
      ...{ fee: decimal(0), feeAsset: null, feePrice: null },
    });
    const ledger = [
      fill('buy', null, 120, 2),
      fill('sell', 3, 130, 1),
      fill('sell', 4, 140, 1),
      fill('buy', 1, 110, 0.4),
      fill('buy', 1, 110, 0.6),
      fill('sell', 2, 120, 0.5),
      fill('sell', 2, 120, 0.5),
    ].reduce((books, one) => applyFill(books, one, 'BTC', 'USDT'), EMPTY_LEDGER);
    expect(status([], 120, ledger)).toMatchObject({
      filledBuys: 3,
      filledSells: 4,
      roundTrips: 1,
      gridProfit: '10',
      realisedPnl: '40',
    });
  });

  it.each([
    [90, 'below', -0.25],
    [150, 'above', 1.25],
    [100, 'none', 0],
    [140, 'none', 1],
  ])('given the mark price %d, reports outOfRange: %s', (mark, outOfRange, rangePosition) => {
    expect(status([], mark)).toMatchObject({ outOfRange, rangePosition });
  });
});

const onTick = (tick: string) => (price: Decimal) => price.div(tick).round().times(tick);

describe('levelPrices', () => {
  const shape = { lower: decimal(100), upper: decimal(400), count: 2, round: onTick('0.01') };

  it('returns prices with equal steps or equal ratios, rounded to the tick', () => {
    const texts = (spacing: 'arithmetic' | 'geometric', count = 2) =>
      levelPrices({ ...shape, spacing, count }).map(String);
    expect(texts('arithmetic')).toEqual(['100', '250', '400']);
    expect(texts('geometric')).toEqual(['100', '200', '400']);
    expect(texts('geometric', 3)).toEqual(['100', '158.74', '251.98', '400']);
  });

  it('returns equal levels when the tick is too coarse', () => {
    const coarse = { ...shape, spacing: 'arithmetic' as const, count: 10, round: onTick('100') };
    expect(areDistinct(levelPrices(coarse))).toBe(false);
  });
});
