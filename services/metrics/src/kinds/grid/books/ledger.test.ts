import fc from 'fast-check';
import { decimal } from '../../../decimal';
import { applyFill, EMPTY_LEDGER, feesOf, openLedger, profitAt } from './ledger';
import type { Fill } from './trips';
import { applyToTrips, NO_TRIPS, tripsDone } from './trips';

const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => decimal(value).div(100));

const fills = fc.array(
  fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: cents(10_000_000),
    size: fc.integer({ min: 1, max: 1000 }),
    feeAsset: fc.constantFrom('BTC', 'USDT', 'BNB', null),
    feeRate: fc.integer({ min: 0, max: 50 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describe('the ledger of a grid', () => {
  it('keeps the profit invariant for 1,000 random sequences of fills', () => {
    fc.assert(
      fc.property(fills, cents(10_000_000), (sequence, mark) => {
        let ledger = EMPTY_LEDGER;
        for (const { side, price, size, feeAsset, feeRate } of sequence) {
          const held = decimal(ledger.inventory);
          const amount = side === 'buy' ? decimal(size).div(1000) : held.times(size).div(1010);
          if (amount.lte(0)) continue;
          const rate = decimal(feeRate).div(10_000);
          const fee = feeAsset === 'BTC' ? amount.times(rate) : amount.times(price).times(rate);
          if (side === 'sell' && feeAsset === 'BTC' && amount.plus(fee).gt(held)) continue;
          const fill: Fill = {
            side,
            price,
            amount,
            fee,
            feeAsset,
            feePrice: feeAsset === 'BNB' ? decimal(1) : null,
            level: null,
          };
          ledger = applyFill(ledger, fill, 'BTC', 'USDT');
        }
        const { total } = profitAt(ledger, mark);
        const { sold, bought, fees, inventory } = ledger;
        const flow = decimal(sold).minus(bought).minus(fees).plus(decimal(inventory).times(mark));
        const size = decimal(sold).plus(bought).plus(1);
        expect(ledger.oversold).toBe(false);
        expect(total?.minus(flow).abs().div(size).lt('1e-12')).toBe(true);
      }),
      { numRuns: 1000, seed: 20_260_301 },
    );
  });

  const fill = (
    side: 'buy' | 'sell',
    price: number,
    amount: number,
    more: Partial<Fill> = {},
  ): Fill => ({
    side,
    price: decimal(price),
    amount: decimal(amount),
    fee: decimal(0),
    feeAsset: null,
    feePrice: null,
    level: null,
    ...more,
  });
  const book = (...sequence: Fill[]) =>
    sequence.reduce((ledger, one) => applyFill(ledger, one, 'BTC', 'USDT'), EMPTY_LEDGER);

  it('calculates realised profit from the average cost', () => {
    const ledger = book(fill('buy', 100, 1), fill('buy', 200, 1), fill('sell', 180, 1));
    expect(ledger).toMatchObject({
      realised: '30',
      inventory: '1',
      cost: '150',
      buys: 2,
      sells: 1,
    });
    const profit = profitAt(ledger, decimal(160));
    expect([profit.avgCost, profit.unrealised, profit.total].map(String)).toEqual([
      '150',
      '10',
      '40',
    ]);
  });

  it('deducts each fee from the asset in which it was paid', () => {
    const inBase = book(fill('buy', 100, 1, { fee: decimal('0.01'), feeAsset: 'BTC' }));
    expect(inBase).toMatchObject({ inventory: '0.99', fees: '0', cost: '100' });
    const inQuote = book(fill('buy', 100, 1, { fee: decimal(1), feeAsset: 'USDT' }));
    expect(inQuote).toMatchObject({ inventory: '1', fees: '1', cost: '101' });
    const third = { fee: decimal('0.5'), feeAsset: 'BNB' };
    expect(book(fill('buy', 100, 1, { ...third, feePrice: decimal(600) })).fees).toBe('300');
    const unpriced = book(fill('buy', 100, 1, third), fill('buy', 100, 1, third));
    expect(unpriced).toMatchObject({ fees: '0', feesUnpriced: { BNB: '1' } });
  });

  it('reports no profit as soon as sales exceed known holdings', () => {
    const ledger = book(fill('buy', 100, 1), fill('sell', 120, 2), fill('buy', 90, 5));
    expect(ledger.oversold).toBe(true);
    const none = { realised: null, unrealised: null, total: null, ofInventory: null };
    const nothing = { avgCost: null, ...none };
    expect(profitAt(ledger, decimal(100))).toEqual(nothing);
  });
});

const fill = (side: 'buy' | 'sell', level: number | null, price: number, amount = 1): Fill => ({
  side,
  level,
  price: decimal(price),
  amount: decimal(amount),
  fee: decimal('0.1'),
  feeAsset: 'USDT',
  feePrice: null,
});
const done = (...fills: Fill[]) => fills.reduce(applyToTrips, NO_TRIPS);

describe('the round trips of a grid', () => {
  it('count only buys that were sold one level up', () => {
    const trips = done(
      fill('buy', null, 100, 5),
      fill('sell', 3, 130),
      fill('buy', 2, 120),
      fill('sell', 3, 130),
      fill('sell', 4, 140),
      fill('buy', 0, 100),
    );
    expect(tripsDone(trips, decimal(1))).toBe(1);
    expect(trips).toMatchObject({ profit: '10', lots: { 0: { amount: '1', cost: '100' } } });
  });

  it('count orders, not fills', () => {
    const trips = done(
      fill('buy', 0, 100, 0.3),
      fill('buy', 0, 99, 0.7),
      fill('sell', 1, 110, 0.5),
    );
    expect(tripsDone(trips, decimal(1))).toBe(0);
    const all = applyToTrips(trips, fill('sell', 1, 111, 0.5));
    expect(tripsDone(all, decimal(1))).toBe(1);
    expect(all).toMatchObject({ profit: '11.2', lots: {}, closed: { 0: '1' } });
  });

  it('together with the inventory result and the fees, add up to the total profit', () => {
    let ledger = openLedger(decimal(2), decimal(240));
    for (const one of [
      fill('sell', 2, 120),
      fill('buy', 1, 110),
      fill('buy', 0, 100),
      fill('sell', 1, 110),
    ]) {
      ledger = applyFill(ledger, one, 'BTC', 'USDT');
    }
    const { total, ofInventory } = profitAt(ledger, decimal(105));
    expect(ledger.trips.profit).toBe('10');
    expect(feesOf(ledger).toFixed()).toBe('0.4');
    expect(ofInventory?.toFixed()).toBe('-20');
    expect(total?.toFixed()).toBe('-10.4');
    expect(EMPTY_LEDGER.trips).toEqual(NO_TRIPS);
  });
});
