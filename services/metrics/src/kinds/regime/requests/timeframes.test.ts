import { type Harness, startHarness } from '../../../../test/harness';

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

  it('do not affect the warning of a new grid, which uses the collected timeframe', async () => {
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
