import { clockAt, type Harness, startHarness } from '../../test/harness';
import { decimal } from '../decimal';
import { rollUp } from '../history/roll-up';

type Item = Record<string, string>;

describe('the endpoints for fills, profit and exports', () => {
  const clock = clockAt('2026-03-02T00:00:30.000Z');
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness({ context: { clock } });
    await service.http.post('/metrics/collect').send({});
    for (const [name, symbol] of [
      ['eth', 'ETH/USDT'],
      ['btc', 'BTC/USDT'],
    ]) {
      const price = (await get(`/metrics/history?kind=market&symbol=${symbol}`)).items[0].last;
      const around = (share: number) => (Number(price) * share).toFixed(2);
      await service.http
        .post('/grids/create')
        .send({
          ...{ name, symbol, lower_price: around(0.97), upper_price: around(1.03) },
          ...{ grid_count: 12, total_quote: 12_000 },
        })
        .expect(201);
    }
    for (let step = 0; step < 20; step++) {
      clock.forward(6 * 3_600_000);
      await service.http.post('/metrics/collect').send({}).expect(200);
    }
  });
  afterAll(() => service.close());

  const get = async (path: string) => (await service.http.get(path).expect(200)).body;
  const stored = async (sql: string) => service.rows<Item>(sql);

  it('return each fill once over all pages of GET /fills, in both orders', async () => {
    const all = await stored('SELECT trade_id FROM trade ORDER BY traded_at, id');
    expect(all.length).toBeGreaterThan(20);
    for (const order of ['asc', 'desc']) {
      const found: Item[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await get(`/fills?limit=7&order=${order}${more}`);
        found.push(...page.items);
        cursor = page.pagination.next_cursor;
      }
      if (order === 'desc') found.reverse();
      expect(found.map(({ trade_id }) => trade_id)).toEqual(all.map(({ trade_id }) => trade_id));
    }
  });

  it('filter fills by grid, symbol, side and time', async () => {
    const { items } = await get('/fills?symbol=ETH/USDT&side=sell&limit=1000');
    expect(items.length).toBeGreaterThan(0);
    const [first] = items;
    expect(first).toMatchObject({ grid_name: 'eth', side: 'sell', simulated: true });
    expect(first.value).toBe(decimal(first.price).times(first.amount).toFixed());
    const same = await get(`/fills?grid_id=${first.grid_id}&side=sell&limit=1000`);
    expect(same.items).toEqual(items);
    const before = await get(`/fills?symbol=ETH/USDT&side=sell&limit=1000&end=${first.traded_at}`);
    expect(before.items.length).toBeLessThan(items.length);
    expect((await get('/fills?grid_id=none')).items).toEqual([]);
  });

  it.each([
    ['/fills?limit=0', 'limit'],
    ['/fills?cursor=x', 'cursor'],
    ['/fills?side=up', 'side'],
    ['/fills?grid=1', 'grid'],
    ['/profit?interval=1h', 'interval'],
    ['/profit?end=2030-01-01T00:00:00Z', 'end'],
    ['/profit?periods=101', 'periods'],
    ['/metrics/export', 'kind'],
    ['/metrics/export?kind=market&asset=BTC', 'asset'],
    ['/metrics/export?kind=market&limit=5', 'limit'],
  ])('reject the invalid query %s with 422', async (path, field) => {
    const { status, body } = await service.http.get(path);
    expect([status, body.detail?.[0]?.loc]).toEqual([422, ['query', field]]);
  });

  it.each(['1d', '1w', '1M'])(
    'return profits per %s that add up to the profit in the books of each grid',
    async (interval) => {
      const { items } = await get(`/profit?interval=${interval}`);
      for (const grid of (await get('/grids/status')).items) {
        const own = (items as Item[]).filter(({ grid_id }) => grid_id === grid.grid_id);
        const sum = (part: string) =>
          own.reduce((total, item) => total.plus(item[part] ?? 'NaN'), decimal(0)).toFixed();
        expect(sum('total_pnl')).toBe(grid.total_pnl);
        expect(sum('grid_profit')).toBe(grid.grid_profit);
        expect(sum('inventory_result')).toBe(grid.inventory_result);
        expect(sum('fees')).toBe(grid.fees_total);
        expect(own).toHaveLength(interval === '1d' ? 6 : interval === '1w' ? 1 : 1);
      }
    },
  );

  it('return the same profit after raw snapshots are rolled up and deleted', async () => {
    const before = (await get('/profit?interval=1d')).items;
    await rollUp(service.context);
    await service.asOwner("DELETE FROM grid_snapshot WHERE captured_at < '2026-03-05'");
    const after = (await get('/profit?interval=1d')).items;
    expect(after).toEqual(before);
  });

  it('return complete exports as CSV and JSON lines', async () => {
    const [row] = await stored('SELECT count(*)::int AS count FROM market_snapshot');
    const csv = await service.http.get('/metrics/export?kind=market').expect(200);
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    const [head, ...lines] = csv.text.trim().split('\r\n');
    expect(head).toMatch(/^kind,collection_id,captured_at/);
    expect(lines).toHaveLength(Number(row?.count));
    const json = await service.http
      .get('/metrics/export?kind=market&symbol=ETH/USDT&order=desc')
      .set('Accept', 'application/x-ndjson')
      .buffer(true)
      .parse((response, done) => {
        let text = '';
        response.on('data', (part) => (text += part));
        response.on('end', () => done(null, text));
      });
    const items = String(json.body)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(items).toHaveLength(Number(row?.count) / 3);
    expect(items[0].captured_at > items[1].captured_at).toBe(true);
    const none = await service.http.get('/metrics/export?kind=market&end=2020-01-01T00:00:00Z');
    expect([none.status, none.text]).toEqual([200, `${head}\r\n`]);
  });
});
