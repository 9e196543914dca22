import { type Harness, startHarness } from '../../../test/harness';
import { rollUp } from '../../history/roll-up';

describe('funding rates', () => {
  let service: Harness;
  const symbol = 'BTC/USDT:USDT';
  beforeAll(async () => {
    service = await startHarness({ config: { perpetuals: [symbol, 'NO/USDT:USDT'] } });
  });
  afterAll(() => service.close());

  const collect = async (id: string) =>
    (await service.http.post('/metrics/collect').send({ collection_id: id }).expect(200)).body;
  const get = async (path: string) => (await service.http.get(path).expect(200)).body;

  it('cause a failure for a perpetual without a rate, and are stored for other perpetuals', async () => {
    const { components, degraded } = await collect('one');
    expect(components.funding_rates).toMatchObject({
      status: 'partial',
      data_points: 1,
      failures: [{ code: 'bad_symbol', target: 'NO/USDT:USDT' }],
    });
    expect(degraded).toBe(true);
  });

  it('have raw and bucketed history', async () => {
    const query = `kind=funding&symbol=${symbol}`;
    const { items } = await get(`/metrics/history?${query}`);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ kind: 'funding', collection_id: 'one', stale: false });
    expect(items[0].rate).toMatch(/^-?0\.000\d+$/);
    const buckets = await get(`/metrics/history?${query}&interval=1d&agg=avg`);
    expect(buckets.items[0]).toMatchObject({ rate: items[0].rate, samples: 1 });
    await rollUp(service.context);
    expect((await get(`/metrics/history?${query}&interval=1d&agg=avg`)).items).toEqual(
      buckets.items,
    );
  });

  it('appear in the Prometheus metrics, the dashboard state and the OpenAPI document', async () => {
    const [{ rate }] = (await get('/dashboard/state')).funding;
    const page = (await service.http.get('/metrics')).text;
    expect(page).toContain(`marketmetrics_funding_rate{symbol="${symbol}"} ${Number(rate)}`);
    expect((await get('/dashboard/state')).tables).toContainEqual(
      expect.objectContaining({ field: 'funding', title: 'Funding' }),
    );
    const document = JSON.stringify(await get('/openapi.json'));
    expect(document).toContain('"funding_rates"');
    expect(document).toMatch(/"enum":\[[^\]]*"funding"/);
  });
});
