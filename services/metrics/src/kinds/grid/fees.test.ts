import { type WatchedGrids, watchGrids } from '../../../test/watched-grids';

describe('fees in another asset', () => {
  let grids: WatchedGrids;
  beforeAll(async () => {
    grids = await watchGrids('binance');
    await grids.collect();
    await grids.createGrid('narrow');
  });
  afterAll(() => grids.close());

  it('get a price even if their market is not collected', async () => {
    grids.fill('narrow-1-1', 'buy', '3100', { fee: '0.001', feeAsset: 'BNB' });
    await grids.collect();
    const { fees_quote, fees_unpriced, ...item } = await grids.grid('narrow');
    expect(Number(fees_quote)).toBeGreaterThan(0.5);
    expect(Number(fees_quote)).toBeLessThan(0.7);
    expect(fees_unpriced).toEqual({});
    const flow = 0.1 * Number(item.mark_price) - 310 - Number(fees_quote);
    expect(Number(item.total_pnl)).toBeCloseTo(flow, 9);
  });

  it('make profit unknown and cause a warning when they have no price', async () => {
    grids.fill('narrow-1-2', 'buy', '3100', { fee: '7', feeAsset: 'NEW' });
    await grids.collect();
    expect(await grids.grid('narrow')).toMatchObject({
      fees_unpriced: { NEW: '7' },
      realised_pnl: null,
      unrealised_pnl: null,
      total_pnl: null,
      pnl_pct: null,
      warnings: ['fees in NEW have no price: profit is unknown'],
    });
  });

  it('get a price in a later collection, once a price is known', async () => {
    const before = Number((await grids.grid('narrow')).fees_quote);
    await grids.service.context.db.pool.query(
      `UPDATE trade SET fee = 0.002, fee_asset = 'BNB' WHERE fee_asset = 'NEW'`,
    );
    await grids.service.context.db.pool.query(
      `UPDATE grid SET ledger = jsonb_set(ledger, '{feesUnpriced}', '{"BNB": "0.002"}')`,
    );
    await grids.collect();
    const { fees_quote, fees_unpriced, total_pnl, mark_price } = await grids.grid('narrow');
    expect(fees_unpriced).toEqual({});
    expect(Number(fees_quote) - before).toBeGreaterThan(1);
    const flow = 0.2 * Number(mark_price) - 620 - Number(fees_quote);
    expect(Number(total_pnl)).toBeCloseTo(flow, 9);
  });
});
