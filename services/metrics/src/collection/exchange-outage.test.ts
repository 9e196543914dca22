import { clockAt, type MovableClock } from '../../test/harness';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../test/shared-database';
import { ExchangeFailure } from '../exchange/failure';
import { createBooks } from '../exchange/simulated/books';
import { createSimulatedExchange } from '../exchange/simulated/simulated-exchange';

describe('an unavailable exchange', () => {
  let database: SharedDatabase;
  let service: SharedHarness;
  let clock: MovableClock;
  let isAway = false;

  beforeAll(async () => {
    database = await openSharedDatabase();
    clock = clockAt('2026-01-05T10:00:00Z');
    service = await database.start({
      context: {
        clock,
        exchange: (db) => {
          const exchange = createSimulatedExchange({ seed: 7, clock, books: createBooks(db) });
          const away = new ExchangeFailure('unavailable', 'all', 'away');
          const guarded =
            <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) =>
            (...args: Args) =>
              isAway ? Promise.reject(away) : ask(...args);
          return {
            ...exchange,
            tickers: guarded(exchange.tickers),
            balance: guarded(exchange.balance),
            candles: guarded(exchange.candles),
          };
        },
      },
    });
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });

  const collect = async () => (await service.http.post('/metrics/collect').send({})).body;
  const health = async () => (await service.http.get('/health')).body.components;
  const state = async () => (await service.http.get('/dashboard/state')).body;
  const dataAt = async () => {
    const { text } = await service.http.get('/metrics');
    const [, at] = /^marketmetrics_dashboard_timestamp_seconds (\S+)$/m.exec(text) ?? [];
    return new Date(Number(at) * 1000).toISOString();
  };
  const FAILED = ['account_balance', 'market_data', 'regime_analysis'];

  it('causes a degraded answer that names the failed components', async () => {
    expect(await collect()).toMatchObject({ degraded: false, failed_components: [] });
    isAway = true;
    clock.forward(3_600_000);
    const body = await collect();
    expect(body).toMatchObject({
      status: 'success',
      data_points_collected: 0,
      degraded: true,
      failed_components: FAILED,
    });
    expect(body).not.toHaveProperty('error');
  });

  it('does not change the time of the last success in metrics and health', async () => {
    expect(await dataAt()).toBe('2026-01-05T10:00:00.000Z');
    expect((await health()).collector).toMatchObject({
      status: 'degraded',
      last_success_at: '2026-01-05T10:00:00.000Z',
      age_seconds: 3_600,
    });
  });

  it('appears in health and on the dashboard until the next complete collection', async () => {
    expect((await health()).dashboard).toMatchObject({
      status: 'degraded',
      failed_components: FAILED,
    });
    expect(await state()).toMatchObject({ degraded: true, failed_components: FAILED });
    isAway = false;
    expect(await collect()).toMatchObject({ degraded: false, failed_components: [] });
    expect(await state()).toMatchObject({ degraded: false, failed_components: [] });
    expect(await dataAt()).toBe('2026-01-05T11:00:00.000Z');
  });

  it('does not change the time of the last success when regimes are analysed from stored candles', async () => {
    isAway = true;
    clock.forward(600_000);
    expect(await collect()).toMatchObject({
      data_points_collected: 3,
      failed_components: ['account_balance', 'market_data'],
    });
    expect(await dataAt()).toBe('2026-01-05T11:00:00.000Z');
    expect((await health()).collector).toMatchObject({ age_seconds: 600 });
  });
});
