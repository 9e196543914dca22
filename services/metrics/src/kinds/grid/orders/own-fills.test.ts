import { type WatchedGrids, watchGrids } from '../../../../test/watched-grids';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe.each(['binance', 'bybit', 'coinbase', 'kraken', 'okx'])(
  'fills and orders on %s',
  (dialect) => {
    let grids: WatchedGrids;
    beforeAll(async () => {
      grids = await watchGrids(dialect);
      await grids.collect();
      await grids.createGrid('wide', { lower_price: 2_000, upper_price: 4_000, grid_count: 20 });
      await grids.createGrid('narrow');
    });
    afterAll(() => grids.close());

    it('belong to the grid that placed the order, at any price', async () => {
      grids.fill('narrow-1-1', 'buy', '3100');
      grids.fill('narrow-0-1', 'buy', '2999.37');
      grids.fill('narrow-2-1', 'sell', '3200');
      grids.fill(null, 'buy', '3100');
      grids.fill('web_1', 'buy', '3200');
      expect(await grids.collect()).toMatchObject({ status: 'ok', failures: [], data_points: 2 });
      expect(await grids.grid('narrow')).toMatchObject({
        filled_buys: 2,
        filled_sells: 1,
        bought_quote: '609.937',
        sold_quote: '320',
      });
      expect(await grids.grid('wide')).toMatchObject({ filled_buys: 0, filled_sells: 0 });
    });

    it('cause only one request per order', async () => {
      const asked = () => grids.sim.requests.filter((request) => /[=/]9000\d\b/.test(request));
      expect(asked()).toHaveLength(5);
      await grids.collect();
      expect(asked()).toHaveLength(5);
      expect(await grids.grid('narrow')).toMatchObject({ filled_buys: 2, filled_sells: 1 });
    });

    it('count once if they arrive after later fills', async () => {
      await grids.collect();
      const time = Date.now() - 5 * MINUTE;
      grids.fill('wide-3-1', 'buy', '2300', { time });
      await grids.collect();
      await grids.collect();
      const wide = await grids.grid('wide');
      expect(wide).toMatchObject({ filled_buys: 1, bought_quote: '230' });
      expect(Date.parse(wide.last_fill_at)).toBe(time);
      expect(Date.parse(wide.trades_watermark)).toBeGreaterThan(time);
    });

    it('include all of 230 open orders', async () => {
      const { account } = grids.sim;
      account.orders = Array.from({ length: 230 }, (_, index) => ({
        id: String(100_000 + index),
        clientOrderId: `narrow-far-${index}`,
        symbol: 'ETH/USDT',
        side: 'buy',
        price: '1000',
        amount: '0.1',
        time: Date.now(),
      }));
      await grids.collect();
      expect(await grids.grid('narrow')).toMatchObject({ unknown_orders: 230 });
    });
  },
);

describe('a fill after two months without fills', () => {
  let grids: WatchedGrids;
  let ahead = 0;
  beforeAll(async () => {
    grids = await watchGrids('bybit', {}, () => Date.now() + ahead);
    await grids.collect();
    await grids.createGrid('g');
  });
  afterAll(() => grids.close());

  it('counts towards the books, because the watermark also advances without fills', async () => {
    ahead = 30 * DAY;
    expect(await grids.collect()).toMatchObject({ status: 'ok', failures: [] });
    ahead = 60 * DAY;
    grids.fill('g-1-1', 'buy', '3100');
    expect(await grids.collect()).toMatchObject({ status: 'ok', failures: [] });
    expect(await grids.grid('g')).toMatchObject({ filled_buys: 1, bought_quote: '310' });
  });
});
