import { cloneDatabase, type Gate, openGate, until } from '@switchyard/testing';
import { startService } from '../../test/harness';

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

  it('causes the documented error response; the next collection succeeds without a restart', async () => {
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

  it('causes an error response within the deadline if it accepts connections but does not respond', async () => {
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

  it('leaves no partial collection behind, whenever the connection is cut', async () => {
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
