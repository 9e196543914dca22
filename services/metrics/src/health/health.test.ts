import { databaseUrl, until } from '@switchyard/testing';
import { type Harness, recordingLogger, startHarness, startService } from '../../test/harness';
import { openSharedDatabase, type SharedDatabase } from '../../test/shared-database';
import { createHealthProbe, presentHealth } from './health';
import { logPlans } from './request-plan';

describe('GET /health', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  afterAll(() => service.close());

  it('returns ok with a time in milliseconds, every component and a correlation id', async () => {
    await service.http.post('/metrics/collect').send({});
    const answer = await service.http.get('/health').set('X-Correlation-ID', 'abc-1');
    expect(answer.status).toBe(200);
    expect(answer.body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.body).toMatchObject({
      status: 'ok',
      components: {
        database: { status: 'ok', latency_ms: expect.any(Number) },
        exchange: { status: 'ok', mode: 'simulated', circuit: 'closed' },
        collector: { status: 'ok', stale: false, running: 0 },
        dashboard: { status: 'ok', stale: false },
      },
      version: expect.any(String),
    });
    expect(answer.headers['x-correlation-id']).toBe('abc-1');
  });

  it('includes a new collection even while the database result is cached', async () => {
    const fresh = await startHarness();
    const asked = await createHealthProbe(fresh.context)();
    const collector = () => presentHealth(fresh.context, asked).components.collector;
    expect(collector()).toMatchObject({ status: 'degraded', last_success_at: null, stale: true });
    await fresh.http.post('/metrics/collect').send({}).expect(200);
    const [row] = await fresh.rows<{ at: Date }>('SELECT started_at AS at FROM collection');
    const last_success_at = row?.at.toISOString();
    expect(collector()).toMatchObject({ status: 'ok', last_success_at, stale: false });
    await fresh.close();
  });

  it('answers HEAD requests without a body', async () => {
    const answer = await service.http.head('/health');
    expect([answer.status, answer.text]).toEqual([200, undefined]);
  });

  it('reports a stale collector after two intervals, but returns 200', async () => {
    const late = await startService({ url: service.database.url, config: { intervalMs: 1 } });
    const answer = await until('a stale collector of a healthy service', async () => {
      const health = await late.http.get('/health');
      return health.status === 200 && health.body.components.collector.stale && health;
    });
    await late.close();
    expect(answer.body.components.collector).toMatchObject({ status: 'degraded', stale: true });
  });

  it.each([
    ['EXCHANGE_MODE', 'live'],
    ['EXCHANGE_MODE', 'virtual'],
    ['METRICS_ACCOUNTS', '/not/there'],
  ])('returns 500 and does not simulate an exchange for %s=%s', async (name, value) => {
    const broken = await startService({ url: service.database.url, env: { [name]: value } });
    const { status, body } = await broken.http.get('/health');
    expect([status, body.components.exchange.mode]).toEqual([500, 'live']);
    expect(broken.context.exchange.simulated).toBe(false);
    await broken.close();
  });

  it('returns 500 while the database cannot be reached', async () => {
    const lost = await startService({ url: databaseUrl('a_database_that_is_not_there') });
    const answer = await lost.http.get('/health');
    await lost.close();
    expect(answer.status).toBe(500);
    expect(answer.body).toMatchObject({
      status: 'error',
      components: { database: { status: 'unavailable' } },
    });
  });

  it.each([
    [{ EXCHANGE_MODE: 'live' }, /EXCHANGE_ID is missing/],
    [{ EXCHANGE_MODE: 'live', EXCHANGE_ID: '../../x' }, /EXCHANGE_ID must be one of/],
    [{ EXCHANGE_MODE: 'paper' }, /EXCHANGE_MODE must be/],
    [
      { EXCHANGE_MODE: 'live', EXCHANGE_ID: 'kraken', EXCHANGE_BASE_URL: 'http://evil.example' },
      /loopback/,
    ],
  ])('returns 500 for the invalid configuration %j, as does a collection', async (env, reason) => {
    const wrong = await startService({ url: service.database.url, env });
    const health = await wrong.http.get('/health');
    const collected = await wrong.http.post('/metrics/collect').send({});
    await wrong.close();
    expect(health.status).toBe(500);
    expect(health.body.components.exchange.problem).toMatch(reason);
    expect(collected.status).toBe(500);
    expect(collected.body).toMatchObject({ status: 'error', error: expect.stringMatching(reason) });
  });
});

let database: SharedDatabase;
beforeAll(async () => {
  database = await openSharedDatabase();
});
afterAll(() => database.drop());

async function start(symbols: number) {
  const { logger, lines } = recordingLogger();
  const names = Array.from({ length: symbols }, (_, index) => `C${index}/USDT`);
  const env = { EXCHANGE_MODE: 'live', EXCHANGE_ID: 'kraken', METRICS_SYMBOLS: names.join() };
  const service = await database.start({ env, context: { logger } });
  const { exchange } = (await service.http.get('/health')).body.components;
  await logPlans(service.context, service.context.accounts);
  await service.close();
  return { exchange, lines: lines.join() };
}

it('GET /health reports the share of the interval that collections need', async () => {
  const { exchange, lines } = await start(10);
  expect(exchange.plan).toEqual({ needs_seconds: 10, may_take_seconds: 15, interval_seconds: 300 });
  expect(exchange).not.toHaveProperty('note');
  expect(lines).toMatch(/collecting from kraken takes 10 s per interval of 300 s"/);
});

it('GET /health names the setting to change if collections need more time than allowed', async () => {
  const { exchange, lines } = await start(43);
  expect(exchange.plan).toMatchObject({ needs_seconds: 43, may_take_seconds: 15 });
  expect(exchange.note).toMatch(/METRICS_COLLECTION_TIMEOUT_MS to 77000/);
  expect(lines).toMatch(/takes 43 s per interval of 300 s, but a component may only take 15 s/);
});

it('GET /health returns no plan for a simulated exchange', async () => {
  const service = await database.start();
  const { exchange } = (await service.http.get('/health')).body.components;
  await service.close();
  expect(exchange).not.toHaveProperty('plan');
});
