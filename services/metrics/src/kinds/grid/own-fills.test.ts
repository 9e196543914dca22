import type { SimAccountTrade } from '../../../exchange-sim/account';
import type { Dialect } from '../../../exchange-sim/dialect';
import { DIALECTS, type ExchangeSim, startExchangeSim } from '../../../exchange-sim/server';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../test/shared-database';

jest.setTimeout(120_000);

const SYMBOL = 'ETH/USDT';
const MINUTE = 60_000;

/** Trades of these exchanges carry the id of their order, and no client id. */
describe.each(['binance', 'kraken'])('fills on %s', (dialect) => {
  let database: SharedDatabase;
  let sim: ExchangeSim;
  let service: SharedHarness;
  let next = 0;

  beforeAll(async () => {
    database = await openSharedDatabase();
    sim = await startExchangeSim({ dialect: DIALECTS[dialect] as Dialect, seed: 7 });
    service = await database.start({
      env: {
        EXCHANGE_MODE: 'live',
        EXCHANGE_ID: dialect,
        EXCHANGE_BASE_URL: sim.url,
        EXCHANGE_API_KEY: sim.account.apiKey,
        EXCHANGE_API_SECRET: sim.account.secret,
        EXCHANGE_RATE_LIMIT: 'false',
        METRICS_SYMBOLS: SYMBOL,
        METRICS_CALL_TIMEOUT_MS: '60000',
        METRICS_COMPONENT_TIMEOUT_MS: '60000',
        METRICS_COLLECTION_TIMEOUT_MS: '90000',
      },
    });
    await collect();
    await createGrid('wide', 2_000, 4_000, 20);
    await createGrid('narrow', 3_000, 3_400, 4);
  });
  afterAll(async () => {
    await service.close();
    await sim.close();
    await database.drop();
  });

  const createGrid = async (name: string, lower: number, upper: number, count: number) => {
    const { status, body } = await service.http.post('/grids/create').send({
      name,
      symbol: SYMBOL,
      lower_price: lower,
      upper_price: upper,
      grid_count: count,
      order_amount: '0.1',
      client_order_prefix: name,
    });
    expect([status, body.mode]).toEqual([201, 'external']);
  };
  const collect = async () => {
    const { body } = await service.http.post('/metrics/collect').send({});
    return body.components.grid_status;
  };
  const grid = async (name: string) => {
    const { body } = await service.http.get('/grids/status');
    return body.items.find((item: { name: string }) => item.name === name);
  };
  /** A fill of an order that is gone from the open ones. */
  const fill = (
    clientOrderId: string | null,
    side: 'buy' | 'sell',
    price: string,
    more: Partial<SimAccountTrade> = {},
  ) => {
    const orderId = `9000${++next}`;
    const order = { id: orderId, clientOrderId, symbol: SYMBOL, side, price, amount: '0.1' };
    sim.account.closedOrders.push({ ...order, time: Date.now() });
    sim.account.trades.push({
      id: `7000${next}`,
      orderId,
      symbol: SYMBOL,
      side,
      price,
      amount: '0.1',
      fee: '0.1',
      feeAsset: 'USDT',
      time: Date.now(),
      ...more,
    });
  };

  it('belong to the grid that placed the order, at whatever price', async () => {
    fill('narrow-1-1', 'buy', '3100');
    // Better than the order asked for, so on no level.
    fill('narrow-0-1', 'buy', '2999.37');
    fill('narrow-2-1', 'sell', '3200');
    // By hand, on a level of both grids.
    fill(null, 'buy', '3100');
    fill('web_1', 'buy', '3200');
    expect(await collect()).toMatchObject({ status: 'ok', failures: [], data_points: 2 });
    expect(await grid('narrow')).toMatchObject({
      filled_buys: 2,
      filled_sells: 1,
      bought_quote: '609.937',
      sold_quote: '320',
    });
    expect(await grid('wide')).toMatchObject({ filled_buys: 0, filled_sells: 0 });
  });

  it('are asked for by their order once', async () => {
    const isOrder = (path: string) => /\/order$|QueryOrders/.test(path);
    expect(sim.asked.filter(isOrder)).toHaveLength(5);
    await collect();
    expect(sim.asked.filter(isOrder)).toHaveLength(5);
    expect(await grid('narrow')).toMatchObject({ filled_buys: 2, filled_sells: 1 });
  });

  it('count when they are shown after later ones, once', async () => {
    await collect();
    const time = Date.now() - 5 * MINUTE;
    fill('wide-3-1', 'buy', '2300', { time });
    await collect();
    await collect();
    const wide = await grid('wide');
    expect(wide).toMatchObject({ filled_buys: 1, bought_quote: '230' });
    expect(Date.parse(wide.last_fill_at)).toBe(time);
    expect(Date.parse(wide.trades_watermark)).toBeGreaterThan(time);
  });
});
