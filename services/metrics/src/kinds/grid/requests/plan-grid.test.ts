import { type WatchedGrids, watchGrids } from '../../../../test/watched-grids';
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

describe('holdings at the start of a watched grid', () => {
  let grids: WatchedGrids;
  beforeAll(async () => {
    grids = await watchGrids('binance');
    await grids.collect();
  });
  afterAll(() => grids.close());

  const flowOf = (item: Record<string, string>) =>
    Number(item.sold_quote) -
    Number(item.bought_quote) -
    Number(item.fees_quote) +
    Number(item.inventory_base) * Number(item.mark_price) -
    Number(item.initial_cost);

  it('default to the amount that the sell orders need at the current price', async () => {
    const body = await grids.createGrid('default', {
      initial_base: undefined,
      lower_price: 2_000,
      upper_price: 5_000,
    });
    const sells = body.levels.filter(({ side }: { side: string }) => side === 'sell').length;
    expect(Number(body.initial_base)).toBeCloseTo(sells * 0.1, 9);
    const price = Number(body.initial_cost) / Number(body.initial_base);
    expect(price).toBeGreaterThan(2_800);
    expect(price).toBeLessThan(3_600);
    const named = await grids.createGrid('named', { initial_base: '0.3', initial_cost: 900 });
    expect(named).toMatchObject({ initial_base: '0.3', initial_cost: '900', rebased_at: null });
  });

  it('make profit known when the first fill is a sell', async () => {
    grids.fill('named-3-1', 'sell', '3300');
    await grids.collect();
    const item = await grids.grid('named');
    expect(Number(item.realised_pnl)).toBeCloseTo(330 - 300 - 0.1, 9);
    expect(Number(item.total_pnl)).toBeCloseTo(flowOf(item), 9);
    expect(item).toMatchObject({ inventory_base: '0.2', warnings: [] });
  });

  it('can be set later by a rebase, which starts new books', async () => {
    const { grid_id } = await grids.createGrid('unknown');
    grids.fill('unknown-3-1', 'sell', '3300');
    await grids.collect();
    expect(await grids.grid('unknown')).toMatchObject({ total_pnl: null });
    const rebase = (body: object) => grids.service.http.post(`/grids/${grid_id}/rebase`).send(body);
    const { status, body } = await rebase({ initial_base: '0.2', initial_cost: '620' });
    expect([status, body.initial_base, body.initial_cost]).toEqual([200, '0.2', '620']);
    expect(Date.parse(body.rebased_at)).toBeGreaterThan(0);
    grids.fill('unknown-3-2', 'sell', '3300', { time: Date.now() - 60_000 });
    grids.fill('unknown-3-3', 'sell', '3300', { time: Date.now() + 1_000 });
    await grids.collect();
    const item = await grids.grid('unknown');
    expect(item).toMatchObject({ filled_sells: 1, inventory_base: '0.1', sold_quote: '330' });
    expect(Number(item.total_pnl)).toBeCloseTo(flowOf(item), 9);
  });

  it('have their cost calculated from the current price if only the amount is set', async () => {
    const { grid_id } = await grids.grid('unknown');
    const { body } = await grids.service.http
      .post(`/grids/${grid_id}/rebase`)
      .send({ initial_base: '0.5' });
    const { mark_price } = await grids.grid('unknown');
    expect(Number(body.initial_cost) / 0.5 / Number(mark_price)).toBeCloseTo(1, 3);
  });

  it.each([
    [{ initial_base: -1 }, 'initial_base', 'greater_than_equal'],
    [{ initial_base: 'x' }, 'initial_base', 'decimal_parsing'],
    [{}, 'initial_base', 'missing'],
    [{ initial_base: 1, initial_cost: -5 }, 'initial_cost', 'greater_than_equal'],
    [{ initial_base: 0, initial_cost: 5 }, 'initial_cost', 'value_error'],
  ])('rejects %j', async (body, field, type) => {
    const { grid_id } = await grids.grid('unknown');
    const answer = await grids.service.http.post(`/grids/${grid_id}/rebase`).send(body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]).toMatchObject({ loc: ['body', field], type });
  });

  it('can only be set for an existing, active grid', async () => {
    const { http } = grids.service;
    const { grid_id } = await grids.grid('unknown');
    const body = { initial_base: 1, initial_cost: 1 };
    expect((await http.post('/grids/none/rebase').send(body)).status).toBe(404);
    await http.post(`/grids/${grid_id}/stop`).expect(200);
    expect((await http.post(`/grids/${grid_id}/rebase`).send(body)).status).toBe(409);
  });
});
