import { newId } from '@switchyard/db';
import { clockAt, type Harness, type MovableClock, startHarness } from '../../../../test/harness';
import { watchGrids } from '../../../../test/watched-grids';
import type { Ticker } from '../../../exchange/port';

describe('POST /grids/{grid_id}/stop', () => {
  let clock: MovableClock;
  let service: Harness;
  beforeEach(async () => {
    clock = clockAt('2026-03-02T00:00:30.000Z');
    service = await startHarness({ context: { clock }, config: { maxGrids: 2 } });
  });
  afterEach(() => service.close());

  const collect = async () =>
    (await service.http.post('/metrics/collect').send({}).expect(200)).body.components.grid_status;
  const create = async (name: string) => {
    const asked = AbortSignal.timeout(5_000);
    const tickers = await service.context.exchange.tickers(['ETH/USDT'], asked);
    const price = Number((tickers.get('ETH/USDT') as Ticker).last);
    return service.http.post('/grids/create').send({
      name,
      symbol: 'ETH/USDT',
      lower_price: (price * 0.97).toFixed(2),
      upper_price: (price * 1.03).toFixed(2),
      grid_count: 4,
      total_quote: '4000',
    });
  };
  const stop = (id: string) => service.http.post(`/grids/${id}/stop`);
  const openOrders = async () =>
    (await service.rows("SELECT 1 FROM sim_order WHERE status = 'open'")).length;

  it('cancels simulated orders, excludes the grid from collections, and frees the grid’s name', async () => {
    const { body: grid } = await create('range').then((answer) => answer);
    expect((await collect()).data_points).toBe(1);
    expect(await openOrders()).toBe(4);
    clock.forward(60_000);
    const { body } = await stop(grid.grid_id).expect(200);
    expect(body).toMatchObject({
      grid_id: grid.grid_id,
      status: 'stopped',
      stopped_at: '2026-03-02T00:01:30.000Z',
      warnings: [],
    });
    expect(await openOrders()).toBe(0);
    expect((await collect()).data_points).toBe(0);
    const status = await service.http.get('/grids/status').expect(200);
    expect(status.body.items).toMatchObject([{ status: 'stopped', name: 'range' }]);
    expect((await create('range')).status).toBe(201);
  });

  it('accepts the grid id in upper case, as do all other paths and filters', async () => {
    const { body: grid } = await create('range');
    await collect();
    const id = grid.grid_id.toUpperCase();
    const count = async (path: string) =>
      (await service.http.get(`${path}grid_id=${id}`).expect(200)).body.items.length;
    expect(await count('/grids/status?')).toBe(1);
    expect(await count('/fills?')).toBe(1);
    expect(await count('/profit?periods=1&')).toBe(1);
    expect(await count('/metrics/history?kind=grid&')).toBe(1);
    const rebuilt = await service.http.post(`/grids/${id}/rebuild`).send({}).expect(200);
    expect(rebuilt.body.grid_id).toBe(grid.grid_id);
    expect((await service.http.post(`/grids/${id}/rebase`).send({ initial_base: 1 })).status).toBe(
      409,
    );
    expect((await stop(id).expect(200)).body.status).toBe('stopped');
    const { text } = await service.http
      .get(`/metrics/export?kind=grid&grid_id=${id}`)
      .set('Accept', 'application/x-ndjson')
      .expect(200);
    expect(text).toContain(grid.grid_id);
  });

  it('when repeated, returns the same response and cancels orders that are still open', async () => {
    const { body: grid } = await create('range');
    const [one, other] = await Promise.all([stop(grid.grid_id), stop(grid.grid_id)]);
    expect([one.status, other.status]).toEqual([200, 200]);
    clock.forward(60_000);
    await service.rows("UPDATE sim_order SET status = 'open'");
    const again = await stop(grid.grid_id).expect(200);
    expect(again.body).toEqual(one.body);
    expect(await openOrders()).toBe(0);
  });

  it('returns 404 for any unknown grid id', async () => {
    for (const id of [newId(), 'none', '0', '%00', 'a%2Fb', "x'", 'x'.repeat(2_000)]) {
      const { status, body } = await stop(id);
      expect({ id, status, detail: typeof body.detail }).toEqual({
        id,
        status: 404,
        detail: 'string',
      });
    }
    await service.http.get('/grids/none/stop').expect(405);
  });

  it('frees a place for another grid, but concurrent requests cannot exceed the limit', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map(create));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.detail).toMatch(/2 are allowed.*stop one/);
    expect(await service.rows('SELECT 1 FROM grid')).toHaveLength(2);
    expect(await openOrders()).toBe(8);
    const made = answers.find(({ status }) => status === 201);
    await stop(made?.body.grid_id).expect(200);
    expect((await create('e')).status).toBe(201);
    expect((await create('f')).status).toBe(409);
  });
});

describe('a stopped watched grid', () => {
  it('causes no collection failure, and leaves its orders open on the exchange', async () => {
    const grids = await watchGrids('binance');
    await grids.collect();
    const { grid_id } = await grids.createGrid('delisted');
    grids.sim.fail('empty', '/openOrders');
    expect(await grids.collect()).toMatchObject({ status: 'failed' });
    const before = grids.sim.asked.length;
    const { body } = await grids.service.http.post(`/grids/${grid_id}/stop`).expect(200);
    expect(body.warnings).toEqual([expect.stringMatching(/orders on the exchange stay open/)]);
    expect(await grids.collect()).toMatchObject({ status: 'ok', data_points: 0, failures: [] });
    const asked = grids.sim.asked.slice(before).join();
    await grids.close();
    expect(asked).not.toMatch(/order|myTrades/i);
  });
});
