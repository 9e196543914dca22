import { type WatchedGrids, watchGrids } from '../../../../test/watched-grids';

const MINUTE = 60_000;

describe('the books of a grid', () => {
  let grids: WatchedGrids;
  beforeAll(async () => {
    grids = await watchGrids('binance');
    await grids.collect();
    await grids.createGrid('late', { initial_base: 0 });
    await grids.createGrid('burst', { initial_base: 0 });
  });
  afterAll(() => grids.close());

  it('include a buy that arrives after its sale', async () => {
    const time = Date.now();
    grids.fill('late-1-2', 'sell', '3200', { time });
    await grids.collect();
    expect(await grids.grid('late')).toMatchObject({ total_pnl: null, round_trips: 0 });
    grids.fill('late-1-1', 'buy', '3100', { time: time - 5 * MINUTE });
    await grids.collect();
    const late = await grids.grid('late');
    expect(late).toMatchObject({ realised_pnl: '9.8', grid_profit: '10', round_trips: 1 });
    expect(late).toMatchObject({ inventory_base: '0', warnings: [] });
    expect(Date.parse(late.last_fill_at)).toBe(time);
  });

  it('sort fills of the same millisecond by numeric id', async () => {
    const time = Date.now();
    grids.fill('burst-2-1', 'sell', '3200', { time, id: '1000000' });
    grids.fill('burst-1-1', 'buy', '3100', { time, id: '999999' });
    await grids.collect();
    expect(await grids.grid('burst')).toMatchObject({ grid_profit: '10', round_trips: 1 });
  });

  it('assign a fill to the level of its order even when a price gap changed the fill price', async () => {
    await grids.createGrid('gap', { initial_base: 0 });
    grids.fill('gap-3-1', 'buy', '3140', { order: { price: '3300' } });
    await grids.collect();
    grids.fill('gap-4-1', 'sell', '3400');
    await grids.collect();
    expect(await grids.grid('gap')).toMatchObject({
      grid_profit: '26',
      inventory_result: '0',
      round_trips: 1,
    });
  });

  it('can be rebuilt on request', async () => {
    const { grid_id } = await grids.grid('late');
    const rebuild = (id: string, body: object = {}) =>
      grids.service.http.post(`/grids/${id}/rebuild`).send(body);
    const { pool } = grids.service.context.db;
    await pool.query(
      `UPDATE grid SET ledger = ledger || '{"oversold": true, "realised": "7"}' WHERE grid_id = $1`,
      [grid_id],
    );
    await grids.collect();
    expect(await grids.grid('late')).toMatchObject({ realised_pnl: null });
    const { status, body } = await rebuild(grid_id);
    expect([status, body.grid_id, body.fills, body.changed]).toEqual([200, grid_id, 2, true]);
    expect((await rebuild(grid_id)).body).toMatchObject({ fills: 2, changed: false });
    await grids.collect();
    expect(await grids.grid('late')).toMatchObject({ realised_pnl: '9.8' });
    expect((await rebuild('none')).status).toBe(404);
    const { body: refused, status: refusedBy } = await rebuild(grid_id, { fills: 1 });
    expect([refusedBy, refused.detail[0].loc]).toEqual([422, ['body', 'fills']]);
  });
});
