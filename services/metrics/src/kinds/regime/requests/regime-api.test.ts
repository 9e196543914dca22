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

  it('analyse the current regime, store it as a collection and do not update the dashboard', async () => {
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
