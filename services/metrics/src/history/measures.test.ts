import { clockAt, type Harness, startHarness } from '../../test/harness';
import { rollUp } from './roll-up';

describe('the parameter measure', () => {
  const clock = clockAt('2026-03-02T00:00:30.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    for (let index = 0; index < 4; index++) {
      await service.http.post('/metrics/collect').send({}).expect(200);
      clock.forward(10 * 60_000);
    }
  });
  afterAll(() => service.close());

  const DAY = 'start=2026-03-02T00:00:00Z&end=2026-03-03T00:00:00Z&order=asc';
  const get = async (query: string) =>
    (await service.http.get(`/metrics/history?${DAY}&${query}`).expect(200)).body.items;

  it('selects the value of ohlc buckets, both from raw rows and from rolled-up hours', async () => {
    const raw = await get('kind=market&symbol=BTC/USDT');
    const spreads = raw.map((item: { spread_bps: number }) => item.spread_bps);
    const query = 'kind=market&symbol=BTC/USDT&interval=1h&agg=ohlc&measure=spread_bps';
    const number = (item: Record<string, string>) =>
      ['open', 'high', 'low', 'close'].map((name) => Number(item[name]));
    const [bar] = await get(query);
    expect(bar.measure).toBe('spread_bps');
    const expected = [spreads[0], Math.max(...spreads), Math.min(...spreads), spreads.at(-1)];
    const close = expected.map((value) => expect.closeTo(value, 9));
    expect(number(bar)).toEqual(close);
    clock.set('2026-03-02T02:00:00.000Z');
    await rollUp(service.context);
    expect(number((await get(query))[0])).toEqual(close);
  });

  it('limits an average to the selected value', async () => {
    const [hour] = await get('kind=market&symbol=BTC/USDT&interval=1h&agg=avg&measure=mid');
    expect(Number(hour.mid)).toBeGreaterThan(0);
    expect(hour).not.toHaveProperty('last');
  });

  it('accepts equity for balances, whose items contain equity in every aggregation', async () => {
    const of = async (asset: string, more: string) => {
      const [item] = await get(`kind=balance&asset=${asset}&${more}`);
      return item;
    };
    for (const asset of ['', 'BTC']) {
      const first = await of(asset, 'interval=raw');
      expect(first.equity).toBe(first.total_equity ?? first.value_in_quote);
      const bar = await of(asset, 'interval=1d&agg=ohlc');
      expect([bar.measure, bar.open]).toEqual(['equity', first.equity]);
      const last = await of(asset, 'interval=1d&agg=last');
      expect(last.equity).toBe(bar.close);
      expect(await of(asset, 'interval=1d&agg=avg')).toHaveProperty('equity');
    }
  });

  it.each([
    'kind=market&interval=1h&agg=ohlc&measure=equity',
    'kind=market&interval=1h&measure=mid',
    'kind=market&agg=ohlc&measure=mid',
    'measure=mid',
  ])('causes 422 in a query where the parameter has no effect: %s', async (query) => {
    const { status, body } = await service.http.get(`/metrics/history?${query}`);
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'measure']]);
  });
});

describe('agg=last', () => {
  const clock = clockAt('2026-03-02T00:05:00.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    const collect = () => service.http.post('/metrics/collect').send({}).expect(200);
    for (const at of ['00:05', '00:15', '00:25', '01:05']) {
      clock.set(`2026-03-02T${at}:00.000Z`);
      await collect();
    }
    await service.asOwner(
      `UPDATE balance_snapshot SET total_equity = NULL WHERE asset IS NULL AND captured_at >= '2026-03-02T00:20:00Z'`,
    );
  });
  afterAll(() => service.close());

  const hours = async () => {
    const query = 'kind=balance&interval=1h&agg=last&order=asc';
    const window = 'start=2026-03-02T00:00:00Z&end=2026-03-02T03:00:00Z';
    const { body } = await service.http.get(`/metrics/history?${query}&${window}`).expect(200);
    return body.items.filter((item: { asset: string | null }) => item.asset === null);
  };
  const equityAt = async (at: string) => {
    const [row] = await service.rows<{ equity: string }>(
      'SELECT trim_scale(total_equity)::text AS equity FROM balance_snapshot WHERE asset IS NULL AND captured_at = $1',
      [at],
    );
    return row?.equity;
  };

  it('returns the last known equity of a bucket, and omits buckets without a known equity', async () => {
    const found = await hours();
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      bucket_start: '2026-03-02T00:00:00.000Z',
      captured_at: '2026-03-02T00:15:00.000Z',
      equity: await equityAt('2026-03-02T00:15:00Z'),
      samples: 2,
    });
  });

  it('returns the same equity after the roll-up', async () => {
    const before = await hours();
    clock.set('2026-03-02T03:30:00.000Z');
    await rollUp(service.context);
    expect(await hours()).toEqual(before);
  });
});
