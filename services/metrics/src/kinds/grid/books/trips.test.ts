import { decimal } from '../../../decimal';
import type { Fill } from './fill';
import { applyFill, EMPTY_LEDGER, feesOf, openLedger, profitAt } from './ledger';
import { applyToTrips, NO_TRIPS, tripsDone } from './trips';

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

  it('add up to the total profit together with the inventory result and the fees', () => {
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
