import { databaseUrl, until } from '@switchyard/testing';
import { type Harness, startHarness, startService } from '../../test/harness';
import { createHealthProbe, presentHealth } from './health';

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
