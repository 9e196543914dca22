import { WATCHED_SYMBOL, type WatchedGrids, watchGrids } from '../../test/watched-grids';

describe('GET /orders', () => {
  let grids: WatchedGrids;
  beforeAll(async () => {
    grids = await watchGrids('okx');
  });
  afterAll(() => grids.close());

  const get = (query = '') => grids.service.http.get(`/orders${query}`);

  it('returns the orders of a requested symbol, even if no grid exists', async () => {
    expect((await get().expect(200)).body.items).toEqual([]);
    grids.sim.account.orders.push({
      ...{ id: '1', clientOrderId: null, symbol: WATCHED_SYMBOL, side: 'sell', time: Date.now() },
      ...{ price: '3100', amount: '2' },
    });
    const { body } = await get(`?symbol=${WATCHED_SYMBOL}`).expect(200);
    expect(body.items).toMatchObject([
      { order_id: '1', grid_id: null, level: null, price: '3100' },
    ]);
  });

  it('returns the grid and level of an order', async () => {
    const { grid_id } = await grids.createGrid('mine');
    grids.sim.account.orders.push({
      ...{ id: '2', clientOrderId: 'mine-1-1', symbol: WATCHED_SYMBOL, side: 'buy' },
      ...{ price: '3100', amount: '0.1', time: Date.now() },
    });
    const { items } = (await get().expect(200)).body;
    expect(items).toHaveLength(2);
    expect(items.find(({ order_id }: { order_id: string }) => order_id === '2')).toEqual({
      order_id: '2',
      client_order_id: 'mine-1-1',
      symbol: WATCHED_SYMBOL,
      side: 'buy',
      price: '3100',
      amount: '0.1',
      grid_id,
      level: 1,
    });
  });

  it('returns 404 for an unlisted symbol, and 503 if the exchange is unavailable', async () => {
    expect((await get('?symbol=NO/SUCH')).status).toBe(404);
    expect((await get('?grid=1')).status).toBe(422);
    grids.sim.fail('503');
    expect((await get()).status).toBe(503);
    grids.sim.fail(null);
  });
});
