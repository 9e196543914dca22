import { until } from '@switchyard/testing';
import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import type { Fault } from '@switchyard/testing/exchange-sim/faults';
import { FAULTS } from '@switchyard/testing/exchange-sim/faults';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { recordingLogger } from '../../../test/harness';
import { liveSettings } from '../../../test/live-settings';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../test/shared-database';
import { loadLibrary } from './library';

const CODES: Record<Fault, string> = {
  429: 'rate_limited',
  418: 'banned',
  503: 'unavailable',
  403: 'unavailable',
  limited: 'rate_limited',
  cut: 'malformed',
  empty: 'malformed',
  silence: 'timeout|deadline',
  reset: 'network',
  hang: 'timeout|deadline',
};

const CIRCUIT_OPEN_MS = 30_000;

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

describe.each(['binance', 'kraken'])('live mode with %s', (dialect) => {
  let sim: ExchangeSim;
  let service: SharedHarness;
  let lines: string[];
  let aheadMs: number;

  beforeAll(async () => {
    const warm = await startExchangeSim({ dialect: DIALECTS[dialect] as Dialect, seed: 7 });
    const library = loadLibrary(dialect, (text) => text);
    const ccxt = library.create({ options: { fetchMarkets: { types: ['spot'] } } });
    ccxt.urls.api = { public: warm.url, private: warm.url } as never;
    await ccxt.fetchTime().catch(() => undefined);
    await warm.close();
  });
  beforeEach(async () => {
    sim = await startExchangeSim({ dialect: DIALECTS[dialect] as Dialect, seed: 7 });
    const log = recordingLogger();
    lines = log.lines;
    aheadMs = 0;
    service = await database.start({
      env: liveSettings(sim, dialect),
      config: { callTimeoutMs: 1_500, componentTimeoutMs: 4_000, collectionTimeoutMs: 10_000 },
      context: {
        logger: log.logger,
        clock: { now: () => new Date(Date.now() + aheadMs) },
      },
    });
  });
  afterEach(async () => {
    await service.close();
    await sim.close();
  });

  const collect = () => service.http.post('/metrics/collect').send({});

  it('collects all components, with amounts as decimal strings and a known equity', async () => {
    const { body, status } = await collect();
    expect([status, body.simulated]).toEqual([200, true]);
    expect(body.components).toMatchObject({
      account_balance: { status: 'ok', failures: [] },
      market_data: { status: 'ok', failures: [] },
      grid_status: { status: 'ok', failures: [] },
      regime_analysis: { status: 'ok', failures: [] },
    });
    expect(body.data_points_collected).toBe(10);
    const history = await service.http.get(`/metrics/history?collection_id=${body.collection_id}`);
    const total = history.body.items.find((item: { total: unknown }) => item.total === true);
    const name = `${dialect}@${new URL(sim.url).host}`;
    expect(total).toMatchObject({ exchange: name, simulated: true, equity_complete: true });
    expect(Number(total.total_equity)).toBeGreaterThan(10_000);
    const assets = history.body.items.filter((item: { kind: string }) => item.kind === 'balance');
    const usdt = assets.find((item: { asset: string }) => item.asset === 'USDT');
    expect(usdt).toMatchObject({ free: '10000.5', used: '250', total: '10250.5' });
  });

  it.each(FAULTS)(
    'reports the fault %s per component within the deadline, and stores no zeros',
    async (fault) => {
      const well = await collect();
      expect(well.body.data_points_collected).toBe(10);
      const before = sim.asked.length;
      const { lastSuccessAt } = service.context.exchange.state();
      if (fault === 'silence' || fault === 'hang') service.config.componentTimeoutMs = 2_900;
      sim.fail(fault);
      const { body, status } = await collect();
      expect(status).toBe(200);
      expect(body).toMatchObject({ storage_status: 'committed', data_points_collected: 3 });
      for (const name of ['account_balance', 'market_data']) {
        const { failures, ...component } = body.components[name];
        expect(component).toMatchObject({ status: 'failed', data_points: 0 });
        const codes = failures.map((failure: { code: string }) => failure.code);
        const also = ['circuit_open', 'deadline'];
        expect([...CODES[fault].split('|'), ...also]).toEqual(expect.arrayContaining(codes));
      }
      const all = JSON.stringify(body.components);
      expect(all).toMatch(new RegExp(`"code":"(${CODES[fault]})"`));
      const equity = await service.rows(
        'SELECT total_equity FROM balance_snapshot WHERE total_row',
      );
      expect(equity).toHaveLength(1);
      expect(service.context.exchange.state().lastSuccessAt).toBe(lastSuccessAt);
      if (['429', '418', 'limited', '403'].includes(fault)) {
        const during = sim.asked.length - before;
        const health = await service.http.get('/health');
        expect(health.status).toBe(200);
        expect(health.body.components.exchange).toMatchObject({
          status: 'degraded',
          circuit: 'open',
        });
        await collect();
        expect(sim.asked.length - before).toBe(during);
      }

      const written = JSON.stringify([
        lines,
        body,
        await service.rows('SELECT components, error, answer FROM collection'),
      ]);
      for (const secret of [sim.account.apiKey, sim.account.secret, 'signature=', 'api-sign']) {
        expect(written.toLowerCase()).not.toContain(secret.toLowerCase());
      }
    },
  );

  it('collects all components again after the exchange recovers', async () => {
    sim.fail('503');
    await collect();
    sim.fail(null);
    const state = () => service.context.exchange.state();
    expect(state().consecutiveFailures).toBeGreaterThanOrEqual(3);
    await until('a whole collection', async () => {
      aheadMs += CIRCUIT_OPEN_MS;
      const { body } = await collect();
      return body.data_points_collected === 10;
    });
    expect(state()).toMatchObject({ circuit: 'closed', consecutiveFailures: 0 });
  });

  it('stores the other components when one component fails', async () => {
    sim.fail('503', dialect === 'binance' ? '/account' : '/BalanceEx');
    const { body } = await collect();
    expect(body.data_points_collected).toBe(6);
    expect(body.components.account_balance).toMatchObject({
      status: 'failed',
      failures: [{ code: 'unavailable', target: 'balance', retryable: true, attempts: 3 }],
    });
  });

  it('reads the orders and fills of a grid and counts missing orders', async () => {
    const { exchange } = service.context;
    const signal = AbortSignal.timeout(2_000);
    const ticker = (await exchange.tickers(['ETH/USDT'], signal)).get('ETH/USDT');
    const price = Number((ticker as { last: string }).last);
    const { body: grid } = await service.http.post('/grids/create').send({
      name: 'watched',
      symbol: 'ETH/USDT',
      lower_price: (price * 0.9).toFixed(2),
      upper_price: (price * 1.1).toFixed(2),
      grid_count: 4,
      order_amount: '0.1',
      client_order_prefix: 'watch',
      initial_base: 0,
    });
    expect(grid).toMatchObject({ mode: 'external', simulated: true });
    expect(sim.asked.some((path) => /order$/i.test(path))).toBe(false);
    const level = (index: number) => grid.levels[index].price as string;
    const order = (index: number, side: 'buy' | 'sell') => ({
      id: `1000${index}`,
      clientOrderId: `watch-${index}`,
      symbol: 'ETH/USDT',
      side,
      price: level(index),
      amount: '0.1',
      time: Date.now(),
    });
    sim.account.orders.push(order(0, 'buy'), order(1, 'buy'), order(3, 'sell'));
    sim.account.closedOrders.push(order(2, 'buy'));
    sim.account.trades.push({
      id: '77001',
      orderId: '10002',
      symbol: 'ETH/USDT',
      side: 'buy',
      price: level(2),
      amount: '0.1',
      fee: '0.25',
      feeAsset: 'USDT',
      time: Date.now(),
    });
    for (let again = 0; again < 2; again++) {
      const { body } = await collect();
      expect(body.components.grid_status).toMatchObject({ status: 'ok', data_points: 1 });
    }
    const { items } = (await service.http.get('/grids/status')).body;
    expect(items[0]).toMatchObject({
      open_buy_orders: 2,
      open_sell_orders: 1,
      expected_orders: 4,
      missing_orders: 1,
      filled_buys: 1,
      fees_quote: '0.25',
      inventory_base: '0.1',
    });
  });
});

describe('live mode without keys', () => {
  it('collects public data and skips the account', async () => {
    const sim = await startExchangeSim({ dialect: DIALECTS.binance as Dialect, seed: 7 });
    const env = { EXCHANGE_MODE: 'live', EXCHANGE_ID: 'binance', EXCHANGE_BASE_URL: sim.url };
    const service = await database.start({ env });
    const { body } = await service.http.post('/metrics/collect').send({});
    await service.close();
    await sim.close();
    expect(body.data_points_collected).toBe(6);
    expect(body.components.account_balance).toMatchObject({
      status: 'skipped',
      failures: [{ code: 'auth' }],
    });
  });
});
