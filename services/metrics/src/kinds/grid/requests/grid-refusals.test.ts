import { kraken } from '@switchyard/testing/exchange-sim/kraken';
import { startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { type Harness, startHarness } from '../../../../test/harness';
import { liveSettings } from '../../../../test/live-settings';

describe('POST /grids/create', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  const create = (body: object) => service.http.post('/grids/create').send(body);
  const around = (more: object) => ({
    name: 'eth range',
    symbol: 'ETH/USDT',
    lower_price: '3000',
    upper_price: 3400.5,
    grid_count: 12,
    total_quote: '12000',
    ...more,
  });

  it.each([
    [{ lower_price: '9999', upper_price: '10' }, 'upper_price', 'value_error'],
    [{ symbol: 'NO/SUCH' }, 'symbol', 'value_error'],
    [{ grid_count: 1 }, 'grid_count', 'greater_than_equal'],
    [{ grid_count: 201 }, 'grid_count', 'less_than_equal'],
    [{ grid_count: 2.5 }, 'grid_count', 'int_type'],
    [{ total_quote: '20' }, 'total_quote', 'value_error'],
    [{ grid_count: 120 }, 'grid_count', 'value_error'],
    [{ order_amount: 1 }, 'total_quote', 'value_error'],
    [{ total_quote: undefined }, 'total_quote', 'value_error'],
    [{ total_quote: 1e9 }, 'total_quote', 'value_error'],
    [{ total_quote: 1e16 }, 'total_quote', 'less_than_equal'],
    [{ lower_price: 'NaN' }, 'lower_price', 'decimal_parsing'],
    [{ lower_price: -1 }, 'lower_price', 'greater_than'],
    [{ lower_price: undefined }, 'lower_price', 'missing'],
    [{ lower_price: [] }, 'lower_price', 'decimal_type'],
    [{ name: '' }, 'name', 'string_too_short'],
    [{ stop_loss: 5 }, 'stop_loss', 'extra_forbidden'],
    [{ name: undefined }, 'name', 'missing'],
    [{ spacing: 'even' }, 'spacing', 'literal_error'],
    [{ mode: 'external' }, 'mode', 'value_error'],
    [{ client_order_prefix: 'a-b' }, 'client_order_prefix', 'string_pattern_mismatch'],
  ])('rejects %j because of %s', async (wrong, field, type) => {
    const answer = await create(around(wrong));
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]).toMatchObject({ loc: ['body', field], type });
    expect(await service.rows('SELECT 1 FROM grid UNION ALL SELECT 1 FROM sim_order')).toEqual([]);
  });

  it('rejects a number with more digits than a float holds, but accepts the number as a string', async () => {
    const body = (price: string) =>
      JSON.stringify(around({ lower_price: 'here' })).replace('"here"', price);
    const send = (price: string) =>
      service.http.post('/grids/create').set('content-type', 'application/json').send(body(price));
    const refused = await send('3000.0000000000000001');
    expect(refused.status).toBe(422);
    expect(refused.body.detail[0]).toMatchObject({
      loc: ['body', 'lower_price'],
      type: 'value_error',
      msg: 'Value error, must be sent as a string: the number would lose precision',
    });
    expect(await service.rows('SELECT 1 FROM grid')).toEqual([]);
    const taken = await send('"3000.0000000000000001"');
    expect(taken.status).toBe(201);
    expect(taken.body.lower_price).toBe('3000.0000000000000001');
  });
});

it.each(['503', 'cut', 'limited'] as const)(
  'POST /grids/create returns 503 while Kraken returns no prices: %s',
  async (fault) => {
    const sim = await startExchangeSim({ dialect: kraken, seed: 7 });
    const service = await startHarness({ env: liveSettings(sim, 'kraken') });
    await service.http.post('/metrics/collect').send({});
    sim.fail(fault, 'Ticker');
    const grid = { name: 'g', symbol: 'ETH/USDT', lower_price: 3_000, upper_price: 3_400 };
    const { status } = await service.http
      .post('/grids/create')
      .send({ ...grid, grid_count: 4, total_quote: 9_000 });
    await service.close();
    await sim.close();
    expect(status).toBe(503);
  },
);
