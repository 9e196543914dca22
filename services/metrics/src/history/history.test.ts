import { clockAt, type Harness, startHarness } from '../../test/harness';
import { seedMarkets } from '../../test/seed-snapshots';
import { deleteOld } from './delete-old';
import { rollUp } from './roll-up';

type Item = Record<string, unknown>;
const DAY = { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z' };

describe('GET /metrics/history', () => {
  let service: Harness;
  const clock = clockAt('2026-03-03T00:00:00Z');

  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    const { pool } = service.context.db;
    const seed = (symbol: string, stepMs: number, count: number, simulated = true) =>
      seedMarkets(pool, { symbol, start: DAY.start, stepMs, count, simulated });
    await seed('BTC/USDT', 60_000, 1440);
    await seed('ETH/USDT', 600_000, 100);
    await seed('BTC/USDT', 3_600_000, 5, false);
  });
  afterAll(() => service.close());

  const get = (query: Record<string, unknown>) =>
    service.http.get('/metrics/history').query({ kind: 'market', ...DAY, ...query });
  const items = async (query: Record<string, unknown>): Promise<Item[]> => {
    const answer = await get({ limit: 1000, ...query });
    expect(answer.status).toBe(200);
    return answer.body.items;
  };
  const walk = async (query: Record<string, unknown>): Promise<Item[]> => {
    const all: Item[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await get({ ...query, ...(cursor && { cursor }) });
      expect(body.pagination.current_cursor).toBe(cursor ?? null);
      all.push(...body.items);
      expect(body.pagination.has_more).toBe(body.pagination.next_cursor !== null);
      cursor = body.pagination.next_cursor;
    }
    return all;
  };

  it('returns one item per data point that a collection has reported', async () => {
    const { body } = await service.http.post('/metrics/collect').send({ collection_id: 'whole' });
    const answer = await service.http.get('/metrics/history?collection_id=whole');
    expect(answer.body.items).toHaveLength(body.data_points_collected);
    expect(new Set(answer.body.items.map((item: Item) => item.kind))).toEqual(
      new Set(['balance', 'market', 'regime']),
    );
    const total = answer.body.items.find(
      (item: Item) => item.kind === 'balance' && item.asset === null,
    );
    expect(total).toMatchObject({
      total: true,
      total_equity: expect.stringMatching(/^\d+(\.\d+)?$/),
    });
    const balances = await service.http.get('/metrics/history?kind=balance&collection_id=whole');
    expect(balances.body.items).toHaveLength(5);
  });

  it.each([
    [{ symbol: 'ETH/USDT' }, 100],
    [{ symbol: 'BTC/USDT', simulated: false }, 5],
    [{ exchange: 'binance' }, 5],
    [{ symbol: 'ETH/USDT', end: '2026-03-01T01:00:00Z' }, 6],
    [{ symbol: 'ETH/USDT', start: '2026-03-01T16:00:00Z' }, 4],
    [{ collection_id: 'BTC/USDT_true_7' }, 1],
    [{ symbol: 'BTC' }, 0],
    [{ exchange: 'kraken' }, 0],
  ])('filters by %j and returns %d items', async (filter, count) => {
    expect(await items(filter)).toHaveLength(count);
  });

  it('filters balances by asset and collections by id', async () => {
    const window = { start: '2026-03-02T12:00:00Z', end: '2026-03-04T00:00:00Z' };
    expect(await items({ kind: 'balance', asset: 'BTC', ...window })).toHaveLength(1);
    expect(await items({ kind: 'balance', asset: '', ...window })).toMatchObject([{ total: true }]);
    const [day] = await items({ kind: 'balance', asset: '', interval: '1d', ...window });
    expect(day).toMatchObject({ asset: null, total: true, samples: 1 });
    expect(await items({ kind: 'collection', ...window })).toHaveLength(1);
    expect(await items({ kind: 'regime', symbol: 'SOL/USDT', ...window })).toHaveLength(1);
    expect(await items({ kind: 'grid', grid_id: 'none', ...window })).toHaveLength(0);
  });

  it('returns raw items with decimals as strings', async () => {
    const [item] = await items({ symbol: 'ETH/USDT', order: 'asc', limit: 1 });
    expect(item).toMatchObject({
      kind: 'market',
      collection_id: 'ETH/USDT_true_0',
      captured_at: '2026-03-01T00:00:00.000Z',
      exchange: 'simulated',
      simulated: true,
      last: '100',
      bid: '99.5',
      spread_bps: 10,
    });
    expect(item).not.toHaveProperty('id');
  });

  it.each(['asc', 'desc'])(
    'pages through all rows in order %s without gaps or duplicates',
    async (order) => {
      const all = await walk({ symbol: 'BTC/USDT', simulated: true, order, limit: 97 });
      const prices = all.map((item) => Number(item.last));
      const expected = Array.from({ length: 1440 }, (_, n) => 100 + n);
      expect(prices).toEqual(order === 'asc' ? expected : expected.reverse());
    },
  );

  it('excludes rows from later pages if they were added after the first page', async () => {
    const query = { kind: 'market', symbol: 'SOL/USDT', limit: 2, order: 'desc' };
    await seedMarkets(service.context.db.pool, {
      symbol: 'SOL/USDT',
      start: '2026-03-02T10:00:00Z',
      stepMs: 60_000,
      count: 5,
    });
    const first = await service.http.get('/metrics/history').query(query);
    clock.forward(1);
    await service.http.post('/metrics/collect').send({});
    const cursor = first.body.pagination.next_cursor;
    const second = await service.http
      .get('/metrics/history')
      .query({ ...query, cursor, limit: 100 });
    expect(first.body.items.length + second.body.items.length).toBe(6);
  });

  it.each(['last', 'avg', 'min', 'max'])(
    'returns the same hourly %s from raw rows and roll-ups',
    async (agg) => {
      const query = { symbol: 'BTC/USDT', simulated: true, interval: '1h', agg, order: 'asc' };
      const value = { last: 159, avg: 129.5, min: 100, max: 159 }[agg] as number;
      for (const way of ['rows', 'roll-ups']) {
        if (way === 'roll-ups') await rollUp(service.context);
        const hours = await items(query);
        expect(hours).toHaveLength(24);
        expect(hours[0]).toMatchObject({
          bucket_start: '2026-03-01T00:00:00.000Z',
          samples: 60,
          symbol: 'BTC/USDT',
          simulated: true,
        });
        expect(hours.map((hour) => Number(hour.last))).toEqual(
          Array.from({ length: 24 }, (_, hour) => value + 60 * hour),
        );
      }
      await service.asOwner('TRUNCATE rollup_hour, rollup_progress');
    },
  );

  it('returns open, high, low and close for agg=ohlc', async () => {
    const query = {
      symbol: 'BTC/USDT',
      simulated: true,
      interval: '4h',
      agg: 'ohlc',
      order: 'desc',
    };
    const [bar] = await items(query);
    const expected = { measure: 'last', open: '1300', high: '1539', low: '1300', close: '1539' };
    expect(bar).toMatchObject({
      ...expected,
      samples: 240,
      bucket_start: '2026-03-01T20:00:00.000Z',
    });
  });

  it('limits the first and last bucket to the time window', async () => {
    const window = { start: '2026-03-01T00:30:00Z', end: '2026-03-01T02:10:00Z' };
    await rollUp(service.context);
    const hours = await items({
      symbol: 'BTC/USDT',
      simulated: true,
      interval: '1h',
      order: 'asc',
      agg: 'avg',
      ...window,
    });
    expect(hours.map((hour) => [hour.samples, Number(hour.last)])).toEqual([
      [30, 144.5],
      [60, 189.5],
      [10, 224.5],
    ]);
    await service.asOwner('TRUNCATE rollup_hour, rollup_progress');
  });

  it('separates simulated from live data, and omits empty buckets', async () => {
    const hours = await items({ symbol: 'BTC/USDT', interval: '1d', agg: 'avg', ...DAY });
    expect(hours.map((hour) => [hour.simulated, hour.samples])).toEqual([
      [false, 5],
      [true, 1440],
    ]);
    const minutes = await items({ symbol: 'ETH/USDT', interval: '1m' });
    expect(minutes).toHaveLength(100);
  });

  it.each(['asc', 'desc'])(
    'pages through buckets of several series in order %s without gaps or duplicates',
    async (order) => {
      const query = { interval: '30m', order };
      const whole = await items(query);
      const paged = await walk({ ...query, limit: 7 });
      expect(paged).toEqual(whole);
      expect(whole).toHaveLength(48 + 34 + 5);
    },
  );

  it('returns the same buckets while only some hours are rolled up, even page by page', async () => {
    const window = { start: '2026-03-01T00:30:00Z', end: '2026-03-01T23:10:00Z' };
    const cases = ['1h', '4h', '1d'].flatMap((interval) =>
      ['last', 'avg', 'min', 'max', 'ohlc'].flatMap((agg) =>
        ['asc', 'desc'].map((order) => ({ interval, agg, order, ...window })),
      ),
    );
    const ask = async () => {
      const answers: Item[][] = [];
      for (const query of cases) answers.push(await items(query));
      return answers;
    };
    const fromRows = await ask();
    await rollUp(service.context);
    const middle = '2026-03-01T13:00:00Z';
    await service.rows('DELETE FROM rollup_hour WHERE hour >= $1', [middle]);
    await service.rows('UPDATE rollup_progress SET complete_until = $1', [middle]);
    expect(await ask()).toEqual(fromRows);
    for (const [index, query] of cases.entries()) {
      if (query.agg === 'avg') expect(await walk({ ...query, limit: 5 })).toEqual(fromRows[index]);
    }
    await service.asOwner('TRUNCATE rollup_hour, rollup_progress');
  });

  it('counts the regime labels per bucket', async () => {
    const window = { start: '2026-03-02T00:00:00Z', end: '2026-03-04T00:00:00Z' };
    const [day] = await items({ kind: 'regime', symbol: 'BTC/USDT', interval: '1d', ...window });
    const counts = day?.label_counts as Record<string, number>;
    expect(counts[day?.label as string]).toBe(day?.samples);
  });

  it('returns CSV for a request with Accept: text/csv', async () => {
    const answer = await get({ symbol: 'ETH/USDT', limit: 2, order: 'asc' }).set(
      'Accept',
      'text/csv',
    );
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['x-next-cursor']).toEqual(expect.any(String));
    const [head, first, ...rest] = answer.text.split('\r\n');
    expect(head).toMatch(/^kind,collection_id,captured_at,/);
    expect(first).toMatch(/^market,ETH\/USDT_true_0,2026-03-01T00:00:00\.000Z,/);
    expect(rest).toHaveLength(2);
  });

  it.each([
    [{}],
    [{ interval: '1h' }],
    [{ interval: '1h', agg: 'avg' }],
    [{ interval: '1h', agg: 'ohlc', measure: 'bid' }],
    [{ kind: 'collection', symbol: undefined }],
  ])('returns the full CSV header for an empty result: %j', async (query) => {
    const csv = async (more: object) => {
      const asked = { symbol: 'BTC/USDT', limit: 1, order: 'asc', ...query, ...more };
      const { text } = await get(asked).set('Accept', 'text/csv').expect(200);
      return text.split('\r\n');
    };
    const [header, ...rows] = await csv({
      start: '2020-01-01T00:00:00Z',
      end: '2020-01-02T00:00:00Z',
    });
    expect(rows).toEqual(['']);
    const [expected] = await csv({ start: '2026-03-01T00:00:00Z', end: '2026-03-05T00:00:00Z' });
    expect(header?.split(',').sort()).toEqual(expected?.split(',').sort());
  });

  it('exports only the CSV header for an empty range', async () => {
    const window = 'start=2020-01-01T00:00:00Z&end=2020-01-02T00:00:00Z';
    const ask = (kind: string) => service.http.get(`/metrics/export?kind=${kind}&${window}`);
    expect((await ask('market').expect(200)).text).toMatch(/^kind,collection_id,[a-z0-9_,]+\r\n$/);
    expect((await ask('market').set('Accept', 'application/x-ndjson').expect(200)).text).toBe('');
  });

  it.each([
    [{ limit: 'many' }, ['query', 'limit'], 'int_parsing'],
    [{ limit: '0' }, ['query', 'limit'], 'greater_than_equal'],
    [{ limit: '1001' }, ['query', 'limit'], 'less_than_equal'],
    [{ order: 'up' }, ['query', 'order'], 'literal_error'],
    [{ interval: '7m' }, ['query', 'interval'], 'literal_error'],
    [{ kind: 'coins' }, ['query', 'kind'], 'literal_error'],
    [{ simulated: 'maybe' }, ['query', 'simulated'], 'bool_parsing'],
    [{ start: 'yesterday' }, ['query', 'start'], 'datetime_from_date_parsing'],
    [{ start: '2026-03-05T00:00:00Z' }, ['query', 'start'], 'value_error'],
    [{ asset: 'BTC' }, ['query', 'asset'], 'value_error'],
    [{ simbol: 'BTC/USDT' }, ['query', 'simbol'], 'extra_forbidden'],
    [{ cursor: 'nonsense' }, ['query', 'cursor'], 'value_error'],
    [
      { cursor: Buffer.from('["x",1,2,3,"4"]').toString('base64url') },
      ['query', 'cursor'],
      'value_error',
    ],
    [{ kind: undefined, interval: '1h' }, ['query', 'kind'], 'missing'],
    [{ kind: undefined, asset: 'BTC', symbol: 'BTC/USDT' }, ['query', 'symbol'], 'value_error'],
  ])('rejects %j', async (query, loc, type) => {
    const answer = await get(query);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toHaveLength(1);
    expect(answer.body.detail[0]).toMatchObject({ loc, type });
  });

  it('lists the allowed values of an enum in the error message', async () => {
    const { body } = await get({ order: 'up' });
    const expected = "'asc' or 'desc'";
    const msg = `Input should be ${expected}`;
    expect(body.detail[0]).toEqual({
      type: 'literal_error',
      loc: ['query', 'order'],
      msg,
      input: 'up',
      ctx: { expected },
    });
  });

  it('returns the same hours after rolled-up rows older than METRICS_RETENTION_DAYS are deleted', async () => {
    const config = { ...service.config, retentionDays: 1 };
    const context = { ...service.context, config };
    expect(await deleteOld({ ...context, config: { ...config, retentionDays: 0 } })).toBe(0);
    expect(await deleteOld(context)).toBe(0);
    await rollUp(context);
    expect(await deleteOld(context)).toBe(1545);
    for (const [agg, first] of [
      ['avg', 129.5],
      ['last', 159],
    ]) {
      const hours = await items({
        symbol: 'BTC/USDT',
        simulated: true,
        interval: '1h',
        agg,
        order: 'asc',
      });
      expect(hours).toHaveLength(24);
      expect([Number(hours[0]?.last), hours[0]?.samples]).toEqual([first, 60]);
    }
    expect(await service.rows('SELECT count(*)::int AS n FROM market_snapshot')).toEqual([
      { n: 11 },
    ]);
  });

  it.each(['last', 'avg', 'min', 'max', 'ohlc'])(
    'returns only the whole hours of a partial bucket after its raw rows are deleted: %s',
    async (agg) => {
      const cut = { start: '2026-03-01T00:30:00Z', end: '2026-03-01T09:30:00Z' };
      const query = { symbol: 'BTC/USDT', simulated: true, interval: '4h', order: 'asc', agg };
      const found = await items({ ...query, ...cut });
      const counts = found.map(({ bucket_start, samples }) => [bucket_start, samples]);
      expect(counts).toEqual([
        ['2026-03-01T00:00:00.000Z', 180],
        ['2026-03-01T04:00:00.000Z', 240],
        ['2026-03-01T08:00:00.000Z', 60],
      ]);
      const values = { last: 339, avg: 249.5, min: 160, max: 339, ohlc: undefined };
      expect(found[0]?.last === undefined ? undefined : Number(found[0].last)).toBe(
        values[agg as keyof typeof values],
      );
      if (agg === 'ohlc') expect(found[0]).toMatchObject({ open: '160', close: '339' });
    },
  );
});
