import { clockAt, type Harness, startHarness } from '../../test/harness';

type Item = Record<string, unknown>;

describe('GET /metrics/history without a kind', () => {
  let service: Harness;
  const clock = clockAt('2026-03-03T00:00:00.000Z');

  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    for (const id of ['first', 'second', 'third']) {
      await service.http.post('/metrics/collect').send({ collection_id: id }).expect(200);
      if (id !== 'first') clock.forward(60_000);
    }
    clock.forward(1_000);
  });
  afterAll(() => service.close());

  const get = (query: Record<string, unknown> = {}) =>
    service.http.get('/metrics/history').query(query);
  const walk = async (query: Record<string, unknown>): Promise<Item[]> => {
    const all: Item[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { body } = await get({ ...query, ...(cursor && { cursor }) }).expect(200);
      all.push(...body.items);
      cursor = body.pagination.next_cursor;
    }
    return all;
  };

  it('returns the newest items of all kinds', async () => {
    const { body } = await get().expect(200);
    const kinds = (body.items as Item[]).map((item) => item.kind);
    expect(kinds.filter((kind) => kind !== 'collection')).toHaveLength(33);
    expect(new Set(kinds)).toEqual(new Set(['balance', 'market', 'regime', 'collection']));
    const times = (body.items as Item[]).map((item) => item.captured_at as string);
    expect(times).toEqual([...times].sort().reverse());
    expect(body.pagination).toMatchObject({ has_more: false, next_cursor: null });
  });

  it.each(['asc', 'desc'])(
    'returns each item once over all pages in order %s, even with equal times',
    async (order) => {
      const whole = (await get({ order, limit: 1000 }).expect(200)).body.items;
      expect(whole).toHaveLength(36);
      for (const limit of [1, 4, 11]) expect(await walk({ order, limit })).toEqual(whole);
    },
  );

  it('returns only kinds that have the filtered field', async () => {
    const items = await walk({ symbol: 'BTC/USDT' });
    expect(items.map((item) => item.kind).sort()).toEqual([
      ...Array(3).fill('market'),
      ...Array(3).fill('regime'),
    ]);
    expect(items.every((item) => item.symbol === 'BTC/USDT')).toBe(true);
    const assets = await walk({ asset: 'BTC' });
    expect(new Set(assets.map((item) => item.kind))).toEqual(new Set(['balance']));
    expect(await walk({ exchange: 'nowhere' })).toEqual([]);
    expect(await walk({ start: '2026-03-03T00:01:00Z' })).toHaveLength(12);
  });

  it('rejects a forged cursor and a cursor of another query with 422', async () => {
    const own = (await get({ limit: 1 })).body.pagination.next_cursor as string;
    const parts = JSON.parse(Buffer.from(own, 'base64url').toString());
    for (const tie of ['7', '9:1', '0:x', 'x', '0:1:2', null]) {
      const forged = Buffer.from(JSON.stringify([...parts.slice(0, 4), tie])).toString('base64url');
      await get({ limit: 1, cursor: forged }).expect(422);
    }
    const far = JSON.stringify([parts[0], -2.2e14, null, -2.2e14, parts[4]]);
    const refused = await get({ limit: 1, cursor: Buffer.from(far).toString('base64url') });
    expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['query', 'cursor']]);
    await get({ kind: 'market', cursor: own }).expect(422);
  });

  it('returns CSV on request', async () => {
    const { text } = await get().set('Accept', 'text/csv').expect(200);
    expect(text.split('\r\n')[0]).toContain('kind,collection_id');
    expect(text.trimEnd().split('\r\n')).toHaveLength(37);
  });
});
