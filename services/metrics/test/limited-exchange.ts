import { setImmediate as turn } from 'node:timers/promises';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import { DIALECTS, startExchangeSim } from '@switchyard/testing/exchange-sim/server';
import { strictly } from '@switchyard/testing/exchange-sim/strict';
import { readConfig } from '../src/config';
import type { LiveExchangeConfig } from '../src/exchange/config';
import type { Timer } from '../src/exchange/live/requests/limiter';
import { clockAt } from './harness';
import type { SharedDatabase } from './shared-database';

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'LTC'];
const MINUTE_MS = 60_000;

export async function startLimited(
  database: SharedDatabase,
  exchange: string,
  { symbols, grids }: { symbols: number; grids: number },
) {
  const clock = clockAt('2026-03-01T00:57:00.000Z');
  const now = () => clock.now().getTime();
  const broken: string[] = [];
  const dialect = strictly(exchange, DIALECTS[exchange] as Dialect, broken);
  const sim = await startExchangeSim({ dialect, seed: 7, now });
  const traffic = watchTraffic();
  const timer: Timer = {
    now,
    sleep: async (ms, signal) => {
      const until = now() + ms;
      do await turn();
      while (traffic.underWay() > 0 && !signal.aborted);
      if (!signal.aborted && now() < until) clock.set(new Date(until).toISOString());
    },
  };
  const env = {
    EXCHANGE_MODE: 'live',
    EXCHANGE_ID: exchange,
    EXCHANGE_BASE_URL: sim.url,
    EXCHANGE_API_KEY: sim.account.apiKey,
    EXCHANGE_API_SECRET: sim.account.secret,
    EXCHANGE_API_PASSWORD: sim.account.password,
    METRICS_SYMBOLS: SYMBOLS.slice(0, symbols)
      .map((base) => `${base}/USDT`)
      .join(),
  };
  const read = readConfig({ DATABASE_URL: 'postgresql://x', ...env });
  const limited = { ...(read.exchange as LiveExchangeConfig), rateLimit: true };
  const config = { exchange: limited };
  const service = await database.start({ env, config, context: { clock, timer } });
  for (const base of SYMBOLS.slice(0, grids)) {
    const { symbol, last } = priceOf(base, now());
    const grid = { symbol, name: base, client_order_prefix: base, grid_count: 4, initial_base: 0 };
    const range = { lower_price: last * 0.8, upper_price: last * 1.2, total_quote: 5_000 };
    const { status } = await service.http.post('/grids/create').send({ ...grid, ...range });
    expect(status).toBe(201);
    sim.account.orders.push(orderOf(base, `${base}-0-1`, symbol, last * 0.9, now()));
  }
  let fills = 0;
  return {
    broken,
    fail: sim.fail,
    service,
    fill: (base: string, wasOpen: boolean) => {
      const { symbol, last } = priceOf(base, now());
      const id = `9${++fills}`;
      const order = orderOf(id, `${base}-1-${fills}`, symbol, last, now());
      if (wasOpen) sim.account.orders.push(order);
      return () => {
        const { orders, closedOrders, trades } = sim.account;
        if (wasOpen) orders.splice(orders.indexOf(order), 1);
        closedOrders.push(order);
        const fee = { fee: '0.01', feeAsset: 'USDT' };
        trades.push({ ...order, ...fee, id: `8${fills}`, orderId: id, time: now() });
      };
    },
    collect: async () => {
      const began = now();
      const { body } = await service.http.post('/metrics/collect').send({});
      const parts = Object.values(body.components ?? {}) as { failures: object[] }[];
      const failures = parts.flatMap((part) => part.failures);
      return { degraded: body.degraded, failures, ms: now() - began };
    },
    nextCollection: () => clock.forward(5 * MINUTE_MS),
    close: async () => {
      traffic.close();
      await service.close();
      await sim.close();
    },
  };

  function priceOf(base: string, time: number) {
    const market = sim.markets.find((one) => one.base === base);
    if (!market) throw new Error(`${base} is not listed`);
    return { symbol: market.symbol, last: Number(market.ticker(time).last) };
  }
}

function orderOf(id: string, clientOrderId: string, symbol: string, price: number, time: number) {
  const common = { side: 'buy' as const, price: price.toPrecision(6), amount: '0.01' };
  return { id, clientOrderId, symbol, ...common, time };
}

function watchTraffic() {
  let count = 0;
  const { fetch } = globalThis;
  globalThis.fetch = async (...asked) => {
    count++;
    try {
      return await fetch(...asked);
    } finally {
      count--;
    }
  };
  return {
    underWay: () => count,
    close: () => {
      globalThis.fetch = fetch;
    },
  };
}
