import type { SimAccountOrder } from '@switchyard/testing/exchange-sim/account';
import { WATCHED_SYMBOL, type WatchedGrids, watchGrids } from '../../../../test/watched-grids';

const MINUTE = 60_000;

describe.each(['binance', 'bybit', 'coinbase', 'kraken', 'okx'])(
  'vanished orders on %s',
  (dialect) => {
    let grids: WatchedGrids;
    let ahead = 0;
    let started = 0;
    beforeAll(async () => {
      grids = await watchGrids(dialect, {}, () => Date.now() + ahead);
      await grids.collect();
      await grids.createGrid('g');
      started = Date.now();
      const order = (id: string, name: string): SimAccountOrder => ({
        ...{ id, clientOrderId: name, symbol: WATCHED_SYMBOL, side: 'buy' },
        ...{ price: '3100', amount: '0.1', time: started },
      });
      grids.sim.account.orders = [order('80001', 'g-1-1'), order('80002', 'g-1-2')];
      await grids.collect();
    });
    afterAll(() => grids.close());

    const close = (id: string, filled: string) => {
      const { account } = grids.sim;
      const order = account.orders.find((one) => one.id === id) as SimAccountOrder;
      account.orders = account.orders.filter((one) => one !== order);
      account.closedOrders.push({ ...order, filled });
    };

    it('cause a warning immediately, and a failure after ten minutes, if their fills are missing', async () => {
      close('80001', '0.1');
      close('80002', '0');
      expect(await grids.collect()).toMatchObject({ status: 'ok', failures: [] });
      const reason = 'the exchange reports 0.1 of order 80001 as filled, but its fills add up to 0';
      expect(await grids.grid('g')).toMatchObject({ filled_buys: 0, warnings: [reason] });
      ahead = 12 * MINUTE;
      const { grid_id } = await grids.grid('g');
      expect(await grids.collect()).toMatchObject({
        status: 'partial',
        failures: [{ code: 'unexplained', target: grid_id, message: reason }],
      });
    });

    it('cause no warning after their fills have arrived, even 25 minutes late', async () => {
      ahead = 25 * MINUTE;
      const common = { symbol: WATCHED_SYMBOL, side: 'buy' as const, fee: '0.1', feeAsset: 'USDT' };
      const [id, orderId, price] = ['70099', '80001', '3100'];
      grids.sim.account.trades.push({
        ...common,
        id,
        orderId,
        price,
        amount: '0.1',
        time: started,
      });
      expect(await grids.collect()).toMatchObject({ status: 'ok', failures: [] });
      expect(await grids.grid('g')).toMatchObject({
        filled_buys: 1,
        bought_quote: '310',
        warnings: [],
      });
    });
  },
);

describe('vanished orders beyond the request limit of one collection', () => {
  it('each cause a request eventually, even if the first orders remain unexplained', async () => {
    const grids = await watchGrids('binance');
    await grids.collect();
    await grids.createGrid('g');
    const { account } = grids.sim;
    account.orders = Array.from({ length: 11 }, (_, index) => ({
      ...{ id: String(80_001 + index), clientOrderId: `g-1-${index}`, symbol: WATCHED_SYMBOL },
      ...{ side: 'buy', price: '3100', amount: '0.1', time: Date.now() },
    }));
    await grids.collect();
    const gone = account.orders.splice(0);
    account.closedOrders.push(...gone.map((order) => ({ ...order, filled: '0.1' })));
    const last = 'the exchange reports 0.1 of order 80011 as filled, but its fills add up to 0';
    const warnings: string[] = [];
    for (let count = 0; count < 30 && !warnings.includes(last); count++) {
      await grids.collect();
      warnings.push(...(await grids.grid('g')).warnings);
    }
    expect(warnings).toContain(last);
    await grids.close();
  });
});
