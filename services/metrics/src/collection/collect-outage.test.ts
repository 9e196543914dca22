import { cloneDatabase, type Gate, openGate, until } from '@switchyard/testing';
import { clockAt, type MovableClock, startService } from '../../test/harness';
import {
  openSharedDatabase,
  type SharedDatabase,
  type SharedHarness,
} from '../../test/shared-database';
import { ExchangeFailure } from '../exchange/failure';
import { createBooks } from '../exchange/simulated/books';
import { createSimulatedExchange } from '../exchange/simulated/simulated-exchange';

describe('an unavailable database', () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let gate: Gate;
  let service: Awaited<ReturnType<typeof startService>>;

  beforeEach(async () => {
    database = await cloneDatabase('metrics');
    gate = await openGate(database.url);
    const config = { collectionTimeoutMs: 2_000 };
    service = await startService({ url: gate.url, config });
  });
  afterEach(async () => {
    await service.close();
    await gate.close();
    await database.drop();
  });

  const collect = (collection_id: string) =>
    service.http.post('/metrics/collect').send({ collection_id, source: 'flow' });

  const failure = {
    status: 'error',
    collection_id: 'failed',
    data_points_collected: 0,
    storage_status: 'failed',
    dashboard_updated: false,
    trigger_source: 'flow',
    error: expect.stringMatching(/^(storage|deadline): /),
    timestamp: expect.any(String),
  };

  it('causes the documented error response, but the next collection after the outage succeeds without a restart', async () => {
    const first = await collect('first');
    expect(first.status).toBe(200);
    await gate.shut();
    const down = await collect('second');
    expect(down.status).toBe(500);
    expect(down.body).toEqual(failure);
    const health = await service.http.get('/health');
    expect(health.status).toBe(500);
    expect(health.body).toMatchObject({
      status: 'error',
      components: { database: { status: 'unavailable' }, exchange: { status: 'ok' } },
    });
    await gate.open();
    const again = await collect('second');
    expect(again.status).toBe(200);
    expect((await collect('first')).text).toBe(first.text);
  });

  it('causes an error response within the deadline if the database accepts connections but does not respond', async () => {
    await collect('first');
    gate.hold();
    const [answer, health] = await Promise.all([collect('second'), service.http.get('/health')]);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual(failure);
    expect(health.status).toBe(500);
    await gate.shut();
    await gate.open();
    expect((await collect('second')).status).toBe(200);
  });

  it('leaves no partial collection behind, at whatever point the connection is cut', async () => {
    for (let round = 0; round < 12; round++) {
      const answer = collect(`cut-${round}`).then((done) => done);
      await new Promise((resolve) => setTimeout(resolve, round * 6));
      await gate.shut();
      expect([200, 500]).toContain((await answer).status);
      await gate.open();
    }
    await until('recovery', async () => (await service.http.get('/health')).status === 200);
    const { rows } = await service.context.db.pool.query(`
      SELECT c.collection_id FROM collection c
      WHERE c.data_points <> (SELECT count(*) FROM balance_snapshot WHERE collection_ref = c.id)
        + (SELECT count(*) FROM market_snapshot WHERE collection_ref = c.id)
        + (SELECT count(*) FROM regime_snapshot WHERE collection_ref = c.id)`);
    expect(rows).toEqual([]);
    for (let round = 0; round < 12; round++) {
      expect((await collect(`cut-${round}`)).status).toBe(200);
    }
  });
});

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

  it('causes a degraded response that names the failed components', async () => {
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
