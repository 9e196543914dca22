import supertest from 'supertest';
import { useHarness } from '../test/harness';
import { createMetricsApplication } from './probes';

describe('probes and the Prometheus page (guarantee G29)', () => {
  const harness = useHarness({
    // So that all of the pool can be held.
    config: { databasePoolSize: 3 },
  });

  it('answer while all connections for work are taken', async () => {
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

  it('liveness asks the database nothing', async () => {
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

  it('are no requests of users, and do not count as such', async () => {
    await harness.api.get('/readyz').expect(200);
    await harness.api.get('/api/companies').expect(200);
    const page = await supertest(createMetricsApplication(harness.context)).get('/metrics');
    expect(page.text).toContain('route="/api/companies"');
    expect(page.text).not.toContain('readyz');
    expect(page.text).not.toContain('route="/metrics"');
  });
});
