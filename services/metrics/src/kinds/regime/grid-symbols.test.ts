import { type Harness, startHarness } from '../../../test/harness';

describe('a grid with a symbol outside of METRICS_SYMBOLS', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ env: { METRICS_SYMBOLS: 'BTC/USDT' } });
    const { body } = await service.http.post('/regime/analyze').send({ symbol: 'ADA/USDT' });
    expect(body.items).toHaveLength(1);
    await service.http
      .post('/grids/create')
      .send({
        ...{ name: 'g', symbol: 'ADA/USDT', lower_price: 0.2, upper_price: 0.9 },
        ...{ grid_count: 6, total_quote: 900 },
      })
      .expect(201);
    await service.http.post('/metrics/collect').send({}).expect(200);
  });
  afterAll(() => service.close());

  const inTrend = async () =>
    /grid_in_trend\{.*\} (\d)/.exec((await service.http.get('/metrics')).text)?.[1];

  it('has a regime on the dashboard and in the Prometheus metrics', async () => {
    const { regimes } = (await service.http.get('/dashboard/state')).body;
    expect(regimes.map(({ symbol }: { symbol: string }) => symbol)).toEqual([
      'BTC/USDT',
      'ADA/USDT',
    ]);
    await service.rows("UPDATE regime_snapshot SET label = 'trending_up'");
    expect(await inTrend()).toBe('1');
    await service.rows("UPDATE regime_snapshot SET label = 'ranging'");
    expect(await inTrend()).toBe('0');
  });

  it('has no in_trend metric while its regime is unknown', async () => {
    await service.rows("UPDATE regime_snapshot SET label = 'unknown'");
    expect(await inTrend()).toBeUndefined();
  });
});
