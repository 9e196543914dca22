import { clockAt, type Harness, type MovableClock, startHarness } from '../../../../test/harness';
import type { Ticker } from '../../../exchange/port';

describe('grids', () => {
  let clock: MovableClock;
  let service: Harness;
  beforeEach(async () => {
    clock = clockAt('2026-03-02T00:00:30.000Z');
    service = await startHarness({ context: { clock } });
  });
  afterEach(() => service.close());

  const create = (body: object) => service.http.post('/grids/create').send(body);
  const collect = () => service.http.post('/metrics/collect').send({});
  const mark = async () => {
    const asked = AbortSignal.timeout(1_000);
    const tickers = await service.context.exchange.tickers(['ETH/USDT'], asked);
    return Number((tickers.get('ETH/USDT') as Ticker).last);
  };
  const around = async (more: object = {}) => {
    const price = await mark();
    return {
      name: 'eth range',
      symbol: 'ETH/USDT',
      lower_price: (price * 0.97).toFixed(2),
      upper_price: Number((price * 1.03).toFixed(2)),
      grid_count: 12,
      total_quote: '12000',
      ...more,
    };
  };

  it('have levels, orders and decimal strings when they are created', async () => {
    const answer = await create(await around());
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: 'eth range',
      mode: 'simulated',
      simulated: true,
      status: 'active',
      grid_count: 12,
      fee_rate: '0.001',
      total_quote: '12000',
    });
    expect(answer.body.levels).toHaveLength(13);
    const states = answer.body.levels.map((level: { state: string }) => level.state);
    expect(states.filter((state: string) => state === 'open')).toHaveLength(12);
    expect(states.filter((state: string) => state === 'idle')).toHaveLength(1);
    expect(answer.body.levels[0]).toEqual({
      index: 0,
      price: expect.stringMatching(/^\d+(\.\d+)?$/),
      side: 'buy',
      state: 'open',
      order_id: expect.any(String),
    });
  });

  it('satisfy the profit invariant and have no missing orders over five simulated days', async () => {
    const { body: grid } = await create(await around());
    let trips = 0;
    for (let step = 0; step < 30; step++) {
      clock.forward(4 * 3_600_000 + 17_000);
      const answer = await collect();
      expect(answer.body.components).toMatchObject({
        grid_status: { status: 'ok', data_points: 1 },
        account_balance: { status: 'ok' },
      });
      const { body } = await service.http.get('/grids/status');
      const [item] = body.items;
      expect(item).toMatchObject({
        grid_id: grid.grid_id,
        missing_orders: 0,
        unknown_orders: 0,
        age_seconds: 0,
        stale: false,
      });
      const flow =
        Number(item.sold_quote) -
        Number(item.bought_quote) -
        Number(item.fees_quote) +
        Number(item.inventory_base) * Number(item.mark_price);
      expect(Number(item.total_pnl)).toBeCloseTo(flow, 6);
      expect(Number(item.realised_pnl) + Number(item.unrealised_pnl)).toBeCloseTo(flow, 6);
      trips = item.round_trips;
    }
    expect(trips).toBeGreaterThanOrEqual(1);
    const [counted] = await service.rows(`SELECT (SELECT count(*)::int FROM trade) AS ours,
      (SELECT count(*)::int FROM sim_trade) AS theirs`);
    expect(counted?.ours).toBe(counted?.theirs);
  });

  it('count each fill once in concurrent collections', async () => {
    await create(await around());
    clock.forward(48 * 3_600_000);
    const answers = await Promise.all([collect(), collect(), collect(), collect()]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
    const [row] =
      await service.rows(`SELECT (ledger->>'buys')::int + (ledger->>'sells')::int AS booked,
      (SELECT count(*)::int FROM sim_trade) AS traded FROM grid`);
    expect(row?.booked).toBe(row?.traded);
    expect(row?.traded).toBeGreaterThan(3);
  });

  it('report since when the price has been out of range', async () => {
    const price = await mark();
    const away = { lower_price: price * 1.2, upper_price: price * 1.4 };
    const { body } = await create(await around(away));
    expect(body.warnings.join()).toMatch(/outside the grid/);
    await collect();
    const since = clock.now().toISOString();
    clock.forward(600_000);
    await collect();
    const { items } = (await service.http.get('/grids/status?symbol=ETH/USDT')).body;
    expect(items[0]).toMatchObject({ out_of_range: 'below', out_of_range_since: since });
    expect((await service.http.get('/grids/status?symbol=BTC/USDT')).body.items).toEqual([]);
  });

  it('cannot be created without a request body or with a name that is in use', async () => {
    expect((await create(await around())).status).toBe(201);
    const again = await create(await around());
    expect([again.status, again.body.detail[0].loc]).toEqual([422, ['body', 'name']]);
    const nothing = await service.http.post('/grids/create');
    expect([nothing.status, nothing.body]).toEqual([
      422,
      { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
    ]);
  });
});
