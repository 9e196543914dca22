import type { SimAccountOrder, SimAccountTrade } from '@switchyard/testing/exchange-sim/account';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { DIALECTS, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { openSharedDatabase } from './shared-database';

export const WATCHED_SYMBOL = 'ETH/USDT';

export type WatchedGrids = Awaited<ReturnType<typeof watchGrids>>;

export async function watchGrids(
  dialect: string,
  env: Record<string, string> = {},
  now: () => number = Date.now,
) {
  const database = await openSharedDatabase();
  const sim = await startExchangeSim({ dialect: DIALECTS[dialect] as Dialect, seed: 7, now });
  const { apiKey, secret, password } = sim.account;
  const service = await database.start({
    env: {
      EXCHANGE_MODE: 'live',
      EXCHANGE_ID: dialect,
      EXCHANGE_BASE_URL: sim.url,
      EXCHANGE_API_KEY: apiKey,
      EXCHANGE_API_SECRET: secret,
      EXCHANGE_API_PASSWORD: password,
      METRICS_SYMBOLS: WATCHED_SYMBOL,
      METRICS_COLLECTION_TIMEOUT_MS: '190000',
      ...env,
    },
  });
  let next = 0;
  return {
    sim,
    service,
    createGrid: async (name: string, more: object = {}) => {
      const { status, body } = await service.http.post('/grids/create').send({
        name,
        symbol: WATCHED_SYMBOL,
        lower_price: 3_000,
        upper_price: 3_400,
        grid_count: 4,
        order_amount: '0.1',
        client_order_prefix: name,
        initial_base: 0,
        ...more,
      });
      expect([status, body.mode]).toEqual([201, 'external']);
      return body;
    },
    collect: async () => {
      const { body } = await service.http.post('/metrics/collect').send({});
      return body.components.grid_status;
    },
    grid: async (name: string) => {
      const { body } = await service.http.get('/grids/status');
      return body.items.find((item: { name: string }) => item.name === name);
    },
    fill: (
      clientOrderId: string | null,
      side: 'buy' | 'sell',
      price: string,
      { order = {}, ...more }: Partial<SimAccountTrade> & { order?: Partial<SimAccountOrder> } = {},
    ) => {
      const orderId = `9000${++next}`;
      const common = { symbol: WATCHED_SYMBOL, side, price, amount: '0.1' };
      const time = now();
      sim.account.closedOrders.push({ ...common, id: orderId, clientOrderId, time, ...order });
      const fee = { fee: '0.1', feeAsset: 'USDT' };
      sim.account.trades.push({ ...common, ...fee, id: `7000${next}`, orderId, time, ...more });
    },
    close: async () => {
      await service.close();
      await sim.close();
      await database.drop();
    },
  };
}
