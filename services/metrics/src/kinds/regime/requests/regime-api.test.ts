import { type Harness, startHarness } from '../../../../test/harness';

describe('regime endpoints', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  const analyze = (body?: object) => service.http.post('/regime/analyze').send(body);

  it('return 404 before the first collection', async () => {
    const answer = await service.http.get('/regime/current');
    expect([answer.status, typeof answer.body.detail]).toEqual([404, 'string']);
  });

  it('analyse the current regime and store it as a collection, without updating the dashboard', async () => {
    const answer = await analyze({ symbols: ['BTC/USDT', 'XRP/USDT'], symbol: 'ADA/USDT' });
    expect(answer.status).toBe(200);
    expect(answer.body.items).toHaveLength(3);
    expect(answer.body.items[0]).toMatchObject({
      kind: 'regime',
      timeframe: '1h',
      candles_used: 300,
      exchange: 'simulated',
      simulated: true,
      indicators: { adx: expect.any(Number), chop: expect.any(Number) },
    });
    expect(await service.rows('SELECT source, data_points FROM collection')).toEqual([
      { source: 'regime_analyze', data_points: 3 },
    ]);
    expect(await service.rows('SELECT 1 FROM dashboard_state')).toEqual([]);
  });

  it('return the last row of each symbol with its age', async () => {
    const { body } = await service.http.get('/regime/current');
    expect(body.items.map((item: { symbol: string }) => item.symbol)).toEqual([
      'ADA/USDT',
      'BTC/USDT',
      'XRP/USDT',
    ]);
    expect(body.items[0]).toMatchObject({ age_seconds: expect.any(Number), stale: false });
    const one = await service.http.get('/regime/current?symbol=XRP/USDT');
    expect(one.body.items).toHaveLength(1);
    const none = await service.http.get('/regime/current?symbol=NO/SUCH');
    expect([none.status, none.body.detail]).toEqual([404, expect.stringMatching(/of NO\/SUCH is/)]);
  });

  it('analyse the configured symbols by default', async () => {
    const answer = await service.http.post('/regime/analyze');
    expect(answer.status).toBe(200);
    expect(answer.body.items).toHaveLength(3);
  });

  it('report a symbol that the exchange does not list', async () => {
    const some = await analyze({ symbols: ['BTC/USDT', 'NO/SUCH'] });
    expect(some.status).toBe(200);
    expect(some.body.failures).toMatchObject([{ code: 'bad_symbol', target: 'NO/SUCH' }]);
    const none = await analyze({ symbol: 'NO/SUCH' });
    expect([none.status, none.body.detail[0].loc]).toEqual([422, ['body', 'symbol']]);
    const wrong = await analyze({ timeframe: '2h' });
    expect([wrong.status, wrong.body.detail[0].type]).toEqual([422, 'literal_error']);
  });
});

describe('regimes of several timeframes', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ env: { METRICS_SYMBOLS: 'BTC/USDT' } });
    await service.http.post('/metrics/collect').send({});
    await service.http.post('/regime/analyze').send({ timeframe: '1m' }).expect(200);
    await service.http.post('/regime/analyze').send({ timeframe: '1m' }).expect(200);
  });
  afterAll(() => service.close());

  const get = async (path: string) => (await service.http.get(path)).body;

  it('default to the collected timeframe and can be selected by name', async () => {
    expect((await get('/regime/current')).items).toMatchObject([{ timeframe: '1h' }]);
    expect((await get('/regime/current?timeframe=1m')).items).toMatchObject([{ timeframe: '1m' }]);
    expect((await service.http.get('/regime/current?timeframe=4h')).status).toBe(404);
    expect((await service.http.get('/regime/current?timeframe=2h')).status).toBe(422);
    expect((await service.http.get('/regime/current?time=1m')).status).toBe(422);
    expect((await service.http.get('/grids/status?grid=1')).status).toBe(422);
    expect((await get('/dashboard/state')).regimes).toMatchObject([{ timeframe: '1h' }]);
  });

  it('have separate series in history', async () => {
    const buckets = async (query: string) => {
      const path = `/metrics/history?kind=regime&interval=1h&agg=avg&order=asc${query}`;
      const { items } = await get(path);
      return items.map(({ symbol, timeframe, samples, label_counts }: Record<string, object>) => [
        ...[symbol, timeframe, samples],
        Object.values(label_counts ?? {}).reduce((sum, count) => sum + Number(count), 0),
      ]);
    };
    const [hours, minutes] = [
      ['BTC/USDT', '1h', 1, 1],
      ['BTC/USDT', '1m', 2, 2],
    ];
    expect(await buckets('')).toEqual([hours, minutes]);
    expect(await buckets('&symbol=BTC/USDT')).toEqual([hours, minutes]);
    expect(await buckets('&timeframe=1h')).toEqual([hours]);
    expect(await buckets('&symbol=BTC/USDT&timeframe=1m')).toEqual([minutes]);
    const raw = await get('/metrics/history?kind=regime&timeframe=1m');
    expect(raw.items).toHaveLength(2);
    const mixed = await get('/metrics/history?timeframe=1h');
    expect(mixed.items).toMatchObject([{ kind: 'regime', timeframe: '1h' }]);
  });

  it('do not affect the warning of a new grid, because the warning uses the collected timeframe', async () => {
    await service.rows("UPDATE regime_snapshot SET label = 'volatile' WHERE timeframe = '1m'");
    await service.rows("UPDATE regime_snapshot SET label = 'ranging' WHERE timeframe = '1h'");
    const { body } = await service.http.post('/grids/create').send({
      ...{ name: 'g', symbol: 'BTC/USDT', lower_price: 30_000, upper_price: 120_000 },
      ...{ grid_count: 10, total_quote: 9_000 },
    });
    expect(body.warnings.join()).not.toMatch(/regime/);
  });

  it('cause 422 if a query filters another kind by timeframe', async () => {
    const { status, body } = await service.http.get('/metrics/history?kind=market&timeframe=1h');
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'timeframe']]);
  });
});

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
