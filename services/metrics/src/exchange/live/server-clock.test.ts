import type { Dialect } from '@switchyard/testing/exchange-sim/dialect';
import {
  DIALECTS,
  type ExchangeSim,
  startExchangeSim,
} from '@switchyard/testing/exchange-sim/server';
import { clockAt, type MovableClock } from '../../../test/harness';
import { liveSettings } from '../../../test/live-settings';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../../test/shared-database';
import { ACCOUNT_TIMEOUTS } from '../../../test/two-accounts';
import { type WatchedGrids, watchGrids } from '../../../test/watched-grids';

const SKEW_MS = 90_000;

describe.each([
  ['binance', 'ahead', SKEW_MS],
  ['binance', 'behind', -SKEW_MS],
  ['kraken', 'ahead', SKEW_MS],
])('the service on %s with its clock 90 s %s', (dialect, _, skew) => {
  let database: SharedDatabase;
  let sim: ExchangeSim;
  let service: SharedHarness;
  let exchangeClock: MovableClock;

  beforeAll(async () => {
    database = await openSharedDatabase();
    exchangeClock = clockAt('2026-01-05T09:58:50Z');
    const now = () => exchangeClock.now().getTime();
    sim = await startExchangeSim({ dialect: DIALECTS[dialect] as Dialect, seed: 7, now });
    service = await database.start({
      env: {
        EXCHANGE_MODE: 'live',
        EXCHANGE_ID: dialect,
        EXCHANGE_BASE_URL: sim.url,
        METRICS_SYMBOLS: 'BTC/USDT',
        METRICS_COLLECTION_TIMEOUT_MS: '190000',
      },
      context: { clock: { now: () => new Date(now() + skew) } },
    });
  });
  afterAll(async () => {
    await service.close();
    await sim.close();
    await database.drop();
  });

  const collect = async () => {
    const { body } = await service.http.post('/metrics/collect').send({});
    expect(body.components.regime_analysis).toMatchObject({ failures: [] });
  };
  const newest = async () =>
    (
      await service.rows(
        `SELECT open_time, trim_scale(close)::text AS close FROM ohlcv_candle
         ORDER BY open_time DESC LIMIT 1`,
      )
    )[0];
  const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour));

  it('stores a candle only some seconds after the candle has ended', async () => {
    await collect();
    expect(await newest()).toMatchObject({ open_time: at(8) });
    exchangeClock.set('2026-01-05T10:00:02Z');
    await collect();
    expect(await newest()).toMatchObject({ open_time: at(8) });
    exchangeClock.set('2026-01-05T10:00:06Z');
    await collect();
    expect(await newest()).toMatchObject({ open_time: at(9) });
  });

  it('corrects the newest stored candle when the next candle is collected', async () => {
    const { close } = (await newest()) as { close: string };
    await service.context.db.pool.query(
      'UPDATE ohlcv_candle SET close = close * 1.001 WHERE open_time = $1',
      [at(9)],
    );
    service.context.collector.forgetCandles();
    exchangeClock.set('2026-01-05T11:00:06Z');
    await collect();
    const rows = await service.rows(
      `SELECT trim_scale(close)::text AS close FROM ohlcv_candle
       WHERE open_time >= '2026-01-05T09:00:00Z' ORDER BY open_time`,
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEqual({ close });
  });

  it('exposes the clock offset to Prometheus', async () => {
    const { text } = await service.http.get('/metrics');
    const [, offset] = /^marketmetrics_exchange_clock_offset_seconds (\S+)$/m.exec(text) ?? [];
    expect(Number(offset)).toBeCloseTo(-skew / 1000, 0);
  });
});

describe('signed requests', () => {
  it.each([600_000, -600_000])(
    'contain the exchange’s time when the service’s clock is off by %d ms',
    async (offset) => {
      const database = await openSharedDatabase();
      const dialect = DIALECTS.binance as Dialect;
      const sim = await startExchangeSim({ dialect, seed: 7, now: () => Date.now() + offset });
      sim.account.recvWindowMs = 60_000;
      const service = await database.start({
        env: {
          ...ACCOUNT_TIMEOUTS,
          ...liveSettings(sim),
        },
      });
      const { body } = await service.http.post('/metrics/collect').send({});
      await service.close();
      await sim.close();
      await database.drop();
      expect(body.components.account_balance).toMatchObject({ status: 'ok', failures: [] });
    },
  );
});

it('the service reads the exchange’s clock every hour, because response dates do not show small drifts', async () => {
  const database = await openSharedDatabase();
  const clock = clockAt('2026-01-05T09:30:00Z');
  let ahead = 0;
  const now = () => clock.now().getTime() + ahead;
  const sim = await startExchangeSim({ dialect: DIALECTS.binance as Dialect, seed: 7, now });
  const env = { ...ACCOUNT_TIMEOUTS, ...liveSettings(sim) };
  const service = await database.start({ env, context: { clock } });
  const offsetAfterCollecting = async () => {
    await service.http.post('/metrics/collect').send({}).expect(200);
    return service.context.exchange.state().clockOffsetMs;
  };
  const offsets = [await offsetAfterCollecting()];
  ahead = 2_000;
  offsets.push(await offsetAfterCollecting());
  clock.forward(3_600_000);
  offsets.push(await offsetAfterCollecting());
  await service.close();
  await sim.close();
  await database.drop();
  expect(offsets).toEqual([0, 0, 2_000]);
});

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
