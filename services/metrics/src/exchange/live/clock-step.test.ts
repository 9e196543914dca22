import { type WatchedGrids, watchGrids } from '../../../test/watched-grids';

describe.each([
  ['binance', 180_000],
  ['binance', -180_000],
  ['kraken', 180_000],
  ['kraken', -180_000],
])('the service when the clock of %s steps by %d ms', (dialect, step) => {
  let grids: WatchedGrids;
  let ahead = 0;

  beforeAll(async () => {
    grids = await watchGrids(dialect, {}, () => Date.now() + ahead);
    grids.sim.account.recvWindowMs = 60_000;
    await grids.collect();
    await grids.createGrid('g');
    await grids.collect();
  });
  afterAll(() => grids.close());

  const readings = () => grids.sim.asked.filter((path) => /\/time$/i.test(path)).length;

  it('counts a fill and a deposit in the first collection after the step', async () => {
    const before = readings();
    ahead = step;
    const deposit = { id: 'd1', type: 'deposit' as const, asset: 'USDT', amount: '100' };
    grids.sim.account.transfers.push({ ...deposit, time: Date.now() + ahead });
    grids.fill('g-1-1', 'buy', '3100');
    const { body } = await grids.service.http.post('/metrics/collect').send({}).expect(200);
    expect(body).toMatchObject({ degraded: false, failed_components: [] });
    expect(await grids.grid('g')).toMatchObject({ filled_buys: 1, bought_quote: '310' });
    const transfers = await grids.service.http.get('/metrics/history?kind=transfer').expect(200);
    expect(transfers.body.items).toMatchObject([{ asset: 'USDT', amount: '100' }]);
    expect(readings()).toBe(before + 1);
  });

  it('reports the clock offset, and leaves the circuit closed', async () => {
    const { clockOffsetMs, consecutiveFailures } = grids.service.context.exchange.state();
    expect(Math.abs(Number(clockOffsetMs) - step)).toBeLessThan(5_000);
    expect(consecutiveFailures).toBe(0);
  });

  it('does not read the exchange’s clock again while the offset is stable', async () => {
    const before = readings();
    await grids.collect();
    expect(readings()).toBe(before);
  });
});
