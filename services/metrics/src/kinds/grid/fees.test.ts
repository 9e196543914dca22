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

/** Only the grid's symbol is collected: the price of a fee's asset has to be asked for. */
describe('fees in another asset', () => {
  let database: SharedDatabase;
  let sim: ExchangeSim;
  let service: SharedHarness;
  let next = 0;

  beforeAll(async () => {
    database = await openSharedDatabase();
    sim = await startExchangeSim({ dialect: DIALECTS.binance as Dialect, seed: 7 });
    service = await database.start({
      env: {
        EXCHANGE_MODE: 'live',
        EXCHANGE_ID: 'binance',
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

  it('are priced, though its market is not collected', async () => {
    fill('narrow-1-1', 'buy', '3100', { fee: '0.001', feeAsset: 'BNB' });
    await collect();
    const { fees_quote, fees_unpriced, ...item } = await grid('narrow');
    expect(Number(fees_quote)).toBeGreaterThan(0.5);
    expect(Number(fees_quote)).toBeLessThan(0.7);
    expect(fees_unpriced).toEqual({});
    const flow = 0.1 * Number(item.mark_price) - 310 - Number(fees_quote);
    expect(Number(item.total_pnl)).toBeCloseTo(flow, 9);
  });

  it('without a price leave the profit unknown, and say why', async () => {
    fill('narrow-1-2', 'buy', '3100', { fee: '7', feeAsset: 'NEW' });
    await collect();
    expect(await grid('narrow')).toMatchObject({
      fees_unpriced: { NEW: '7' },
      realised_pnl: null,
      unrealised_pnl: null,
      total_pnl: null,
      pnl_pct: null,
      warnings: ['fees in NEW have no price: profit is unknown'],
    });
  });

  it('are priced later, when there is a price', async () => {
    const before = Number((await grid('narrow')).fees_quote);
    await service.context.db.pool.query(
      `UPDATE grid SET ledger = jsonb_set(ledger, '{feesUnpriced}', '{"BNB": "0.002"}')`,
    );
    await collect();
    const { fees_quote, fees_unpriced, total_pnl, mark_price } = await grid('narrow');
    expect(fees_unpriced).toEqual({});
    expect(Number(fees_quote) - before).toBeGreaterThan(1);
    const flow = 0.2 * Number(mark_price) - 620 - Number(fees_quote);
    expect(Number(total_pnl)).toBeCloseTo(flow, 9);
  });
});
