import { decimal } from '../../../decimal';
import { steppedMarket } from '../../../exchange/simulated/simulated-market';
import type { InvalidRequest } from '../../../http/invalid-request';
import { gridRequest } from './grid-request';
import { planGrid } from './plan-grid';

const market = (more: { minAmount?: string; minCost?: string } = {}) =>
  steppedMarket(
    { symbol: 'A/B', base: 'A', quote: 'B', minAmount: '0.0001', minCost: '1', ...more },
    { tick: '0.01', step: '0.0001' },
  );
const plan = (body: object, more = {}) =>
  planGrid(
    gridRequest.parse({
      name: 'g',
      symbol: 'A/B',
      lower_price: 100,
      upper_price: 110,
      grid_count: 10,
      ...body,
    }),
    market(more),
  );
const refusal = (body: object, more = {}) => {
  try {
    plan(body, more);
  } catch (error) {
    return (error as InvalidRequest).detail
      .map(({ loc, msg }) => `${loc.join('.')}: ${msg}`)
      .join();
  }
  return null;
};

describe('planGrid', () => {
  it('enforces the minimum amount of the market', () => {
    expect(refusal({ order_amount: '0.009' }, { minAmount: '0.01', minCost: '0.01' })).toMatch(
      /body.order_amount: .*minimum of 0.01 A/,
    );
    expect(refusal({ order_amount: '0.01' }, { minAmount: '0.01', minCost: '0.01' })).toBeNull();
  });

  it('rejects levels whose distance does not cover the fees of both trades', () => {
    const steps = { lower_price: 100, upper_price: 160, grid_count: 200, order_amount: 1 };
    expect(refusal({ ...steps, fee_rate: '0.001' })).toMatch(/body.grid_count: .*fees/);
    expect(refusal({ ...steps, fee_rate: '0.0009' })).toBeNull();
  });

  it('plans orders that cost at most total_quote, including fees, if every level is bought', () => {
    for (const fee_rate of ['0', '0.001', '0.004']) {
      const { levels, orderAmount } = plan({ total_quote: 1000, fee_rate });
      const paid = levels.reduce((sum, level) => sum.plus(level.times(orderAmount)), decimal(0));
      const needed = paid.times(decimal(1).plus(fee_rate));
      expect(needed.lte(1000)).toBe(true);
      expect(needed.gt(999)).toBe(true);
    }
  });

  it('accepts a fee of zero and a rebate of up to 1 %', () => {
    expect(plan({ order_amount: 1, fee_rate: 0 }).feeRate.toFixed()).toBe('0');
    expect(plan({ order_amount: 1, fee_rate: '-0.0002' }).feeRate.toFixed()).toBe('-0.0002');
    expect(gridRequest.safeParse({ fee_rate: -0.02 }).error?.message).toContain('-0.01');
  });
});
