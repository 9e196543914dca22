import { type WatchedGrids, watchGrids } from '../../../../test/watched-grids';
import { decimal } from '../../../decimal';
import { deleteOld } from '../../../history/delete-old';

const DAY = 86_400_000;

describe('deleteOld()', () => {
  let grids: WatchedGrids;
  let id: string;
  const start = Date.now() - 30 * DAY;
  beforeAll(async () => {
    grids = await watchGrids('binance');
    await grids.collect();
    id = (await grids.createGrid('old', { initial_base: 10 })).grid_id;
    const { pool } = grids.service.context.db;
    for (let fill = 0; fill < 450; fill++) {
      const [side, price] =
        fill % 3 === 2 ? (['sell', '3200'] as const) : (['buy', '3100'] as const);
      const level = side === 'buy' ? 1 : 2;
      grids.fill(`old-${level}-${fill}`, side, price, { time: start + (fill + 1) * 3_600_000 });
      if (fill % 50 < 49) continue;
      const collected = new Date(start + (fill - 49) * 3_600_000);
      await pool.query('UPDATE grid SET trades_watermark = $1', [collected]);
      expect(await grids.collect()).toMatchObject({ status: 'ok', failures: [] });
    }
  });
  afterAll(() => grids.close());

  const books = async () =>
    (await grids.service.rows(`SELECT ledger FROM grid WHERE grid_id = '${id}'`))[0].ledger;
  const rebuild = async () =>
    (await grids.service.http.post(`/grids/${id}/rebuild`).send({}).expect(200)).body;
  const clean = () => {
    const { config, context } = grids.service;
    return deleteOld({ ...context, config: { ...config, retentionDays: 20 } });
  };
  const performance = async () =>
    (await grids.service.http.get('/performance?days=60').expect(200)).body;
  const stored = async () =>
    (await grids.service.rows('SELECT count(*)::int AS n, min(traded_at) AS first FROM trade'))[0];

  it('deletes fills up to a checkpoint older than METRICS_RETENTION_DAYS, and rebuilds to the same books', async () => {
    const before = await books();
    expect((await stored()).n).toBe(450);
    await clean();
    const { n, first } = await stored();
    expect(n).toBe(250);
    expect(await books()).toEqual(before);
    expect(await rebuild()).toMatchObject({ fills: 450, changed: false });
    expect(await grids.service.rows('SELECT count(*)::int AS n FROM exchange_order')).toEqual([
      { n: 250 },
    ]);
    const { fills_since, trips_since } = await performance();
    expect(Date.parse(fills_since)).toBe(+first - 3_600_000 + 1);
    expect(Date.parse(trips_since)).toBe(+first - 3_600_000);
    await clean();
    expect((await stored()).n).toBe(250);
  });

  it('counts a later fill on top of the deleted ones', async () => {
    const { bought, buys } = await books();
    grids.fill('old-1-900', 'buy', '3100');
    await grids.collect();
    const after = await books();
    expect([after.buys, after.bought]).toEqual([buys + 1, decimal(bought).plus('310').toFixed()]);
    expect(await rebuild()).toMatchObject({ fills: 451, changed: false });
  });

  it('starts from the amount of a rebase instead of the deleted fills, and keeps the start of the trips', async () => {
    const { trips_since, grid_trips } = await performance();
    await grids.service.http.post(`/grids/${id}/rebase`).send({ initial_base: 1 }).expect(200);
    expect(await rebuild()).toMatchObject({ fills: 0, changed: false });
    expect(await performance()).toMatchObject({ trips_since, grid_trips });
  });
});
