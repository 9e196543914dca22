import supertest from 'supertest';
import { useHarness } from '../../test/harness';
import { createApplication, createWorkerApplication } from '../http/app';
import { createMetricsApplication } from './probes';

describe('the probes and the metrics page', () => {
  const harness = useHarness({
    config: { databasePoolSize: 3 },
  });

  it('respond while requests use every database connection', async () => {
    const { pool } = harness.context.db;
    const held = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const waiting = pool.query('SELECT 1');
    try {
      const ready = await harness.api.get('/readyz').expect(200);
      expect(ready.body).toMatchObject({ status: 'ok', components: { database: 'ok' } });
      const page = await supertest(createMetricsApplication(harness.context)).get('/metrics');
      expect(page.text).toMatch(/^switchyard_heartbeat_runs_waiting 0$/m);
      expect(page.text).toMatch(/^switchyard_database_waiting_requests 1$/m);
      expect(page.text).toMatch(/^switchyard_database_connections{state="busy"} 3$/m);
    } finally {
      for (const client of held) client.release();
      await waiting;
    }
  });

  it.each([
    ['API', createApplication],
    ['worker', createWorkerApplication],
  ])(
    'report the %s as not ready after 10 s with a stalled pool, and as not live after 60 s',
    async (_, create) => {
      let stalledMs = 0;
      const app = create({ ...harness.context, poolStallMs: () => stalledMs }, () => false);
      const report = async () => {
        const ready = await supertest(app).get('/readyz');
        const live = await supertest(app).get('/livez');
        return [ready.body.components.pool, ready.status, live.status];
      };
      expect(await report()).toEqual(['ok', 200, 200]);
      stalledMs = 10_000;
      expect(await report()).toEqual(['unavailable', 503, 200]);
      stalledMs = 60_000;
      expect(await report()).toEqual(['unavailable', 503, 503]);
      stalledMs = 0;
      expect(await report()).toEqual(['ok', 200, 200]);
    },
  );

  it('query the database for readiness, but not for liveness', async () => {
    const { db, probePool } = harness.context;
    let asked = 0;
    const count = () => {
      asked++;
    };
    for (const pool of [db.pool, probePool]) pool.on('acquire', count);
    await harness.api.get('/livez').expect(200);
    expect(asked).toBe(0);
    await harness.api.get('/readyz').expect(200);
    expect(asked).toBe(1);
  });

  it('accept as Host only IP addresses and configured names', async () => {
    const { context } = harness;
    const { network } = context.config;
    const named = { ...network, prometheusHosts: ['worker', 'worker.monitoring.svc'] };
    const page = createMetricsApplication(
      { ...context, config: { ...context.config, network: named } },
      { required: {}, isStopping: () => false },
    );
    const ask = async (path: string, host: string) =>
      (await supertest(page).get(path).set('Host', host)).status;
    for (const path of ['/metrics', '/livez', '/readyz']) {
      for (const host of ['10.42.0.7:3101', '[fd00::7]:3101', 'localhost', 'worker:3101']) {
        expect({ path, host, status: await ask(path, host) }).toEqual({ path, host, status: 200 });
      }
      for (const host of [
        'evil.example.com',
        '10.42.0.7.example.com',
        'api',
        'worker.example.com',
      ]) {
        expect({ path, host, status: await ask(path, host) }).toEqual({ path, host, status: 403 });
      }
    }
    const refused = await supertest(page).get('/metrics').set('Host', 'evil.example.com');
    expect(refused.body).toMatchObject({ code: 'forbidden' });
    expect(refused.text).not.toContain('switchyard_');
  });

  it('do not appear in the request metrics', async () => {
    await harness.api.get('/readyz').expect(200);
    await harness.api.get('/api/companies').expect(200);
    const page = await supertest(createMetricsApplication(harness.context)).get('/metrics');
    expect(page.text).toContain('route="/api/companies"');
    expect(page.text).not.toContain('readyz');
    expect(page.text).not.toContain('route="/metrics"');
  });
});
