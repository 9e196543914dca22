import { until } from '@switchyard/testing';
import { type Harness, startHarness, startService } from '../../test/harness';
import { forgetEverything } from '../../test/shared-database';
import { sweepOrphans } from '../background';
import { KINDS } from '../kinds/kinds';

const COUNTS = `
  SELECT (SELECT count(*)::int FROM balance_snapshot) + (SELECT count(*)::int FROM market_snapshot)
    + (SELECT count(*)::int FROM grid_snapshot) + (SELECT count(*)::int FROM regime_snapshot) AS points,
    (SELECT count(*)::int FROM collection) AS collections`;

describe('POST /metrics/collect', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
  });
  beforeEach(() => forgetEverything(service.database.ownerUrl, service.context));
  afterAll(() => service.close());

  const collect = (body?: object) => service.http.post('/metrics/collect').send(body);

  it('returns every field of the contract and no `error` key', async () => {
    const answer = await collect({ source: 'n8n', collection_id: 'first-1' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      status: 'success',
      collection_id: 'first-1',
      storage_status: 'committed',
      dashboard_updated: true,
      trigger_source: 'n8n',
      simulated: true,
    });
    expect(Object.hasOwn(answer.body, 'error')).toBe(false);
    expect(answer.body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(
      Object.values(answer.body.components).map((one) => (one as { status: string }).status),
    ).toEqual(KINDS.map(() => 'ok'));
    const [counted] = await service.rows(COUNTS);
    expect(counted).toEqual({ points: answer.body.data_points_collected, collections: 1 });
    expect(answer.body.data_points_collected).toBe(11);
  });

  it('uses the defaults for an empty body, no body and nulls', async () => {
    for (const send of [
      () => collect({}),
      () => service.http.post('/metrics/collect'),
      () => collect({ trigger_time: null, collection_id: null }),
    ]) {
      const answer = await send();
      expect(answer.status).toBe(200);
      expect(answer.body.trigger_source).toBe('n8n_schedule');
      expect(answer.body.collection_id).toMatch(/^metrics_\d{8}_\d{6}(\d{3})?$/);
    }
    const ids = await service.rows('SELECT DISTINCT collection_id FROM collection');
    expect(ids).toHaveLength(3);
  });

  it.each([
    ['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00:00.123456+01:00', '2026-03-01T09:00:00.123Z'],
    ['2026-03-01T10:00:00', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00Z', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01T10:00-02:30', '2026-03-01T12:30:00.000Z'],
    ['2026-03-01T10:00', '2026-03-01T10:00:00.000Z'],
  ])('stores trigger_time %s as %s', async (given, stored) => {
    expect((await collect({ trigger_time: given })).status).toBe(200);
    const [row] = await service.rows<{ trigger_time: Date }>('SELECT trigger_time FROM collection');
    expect(row?.trigger_time.toISOString()).toBe(stored);
  });

  it('returns the same bytes to 20 concurrent requests with the same id, and collects once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => collect({ collection_id: 'same' })),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers['idempotency-replayed'])).toHaveLength(19);
    expect(await service.rows(COUNTS)).toEqual([{ points: 11, collections: 1 }]);
  });

  it('replays the response for a repeated id, even with another time or source', async () => {
    const first = await collect({ collection_id: 'n8n_7', source: 'n8n' });
    for (let retry = 0; retry < 4; retry++) {
      const trigger_time = new Date(retry * 1000).toISOString();
      const again = await collect({ collection_id: 'n8n_7', source: `n8n ${retry}`, trigger_time });
      expect(again.status).toBe(200);
      expect(again.text).toBe(first.text);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    expect(await service.rows(COUNTS)).toEqual([{ points: 11, collections: 1 }]);
  });

  it('stores ten concurrent collections and shows the newest on the dashboard', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => collect({ collection_id: `c${index}` })),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(await service.rows(COUNTS)).toEqual([{ points: 110, collections: 10 }]);
    const [shown] = await service.rows<{ captured_at: Date }>(
      'SELECT captured_at FROM dashboard_state',
    );
    const [newest] = await service.rows<{ at: Date }>(
      'SELECT max(started_at) AS at FROM collection',
    );
    expect(shown?.captured_at).toEqual(newest?.at);
  });

  it('commits the collection even if the dashboard cannot be updated', async () => {
    await collect({ collection_id: 'before' });
    const blocker = await service.context.db.pool.connect();
    await blocker.query('BEGIN; SELECT 1 FROM dashboard_state FOR UPDATE');
    const answer = await collect({ collection_id: 'beside' });
    await blocker.query('ROLLBACK');
    blocker.release();
    expect(answer.body).toMatchObject({
      status: 'success',
      storage_status: 'committed',
      dashboard_updated: false,
    });
    expect((await collect({ collection_id: 'beside' })).text).toBe(answer.text);
  });

  it('reports a full disk as a storage error', async () => {
    await service.asOwner(
      `CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON market_snapshot EXECUTE FUNCTION fill_disk()`,
    );
    const full = await collect({ collection_id: 'full' });
    await service.asOwner('DROP TRIGGER full_disk ON market_snapshot');
    const error = 'storage: the database has no disk space or memory left';
    expect([full.status, full.body]).toMatchObject([500, { collection_id: 'failed', error }]);
    expect((await collect({ collection_id: 'full' })).status).toBe(200);
  });

  it('keeps the newer collection on the dashboard when an older collection finishes later', async () => {
    await collect({ collection_id: 'newer' });
    await service.rows("UPDATE dashboard_state SET captured_at = now() + interval '1 minute'");
    const answer = await collect({ collection_id: 'older' });
    expect(answer.body.dashboard_updated).toBe(false);
    expect(await service.rows('SELECT collection_id FROM dashboard_state')).toEqual([
      { collection_id: 'newer' },
    ]);
  });

  it('repeats a collection whose process has died, and a sweep ends collections with expired leases', async () => {
    await service.rows(
      `INSERT INTO collection (collection_id, status, source, correlation_id, started_at, lease_until,
         request_hash, exchange, simulated)
       SELECT id, 'running', 's', 'c', now(), now() + later * interval '1 minute', 'h', 'x', true
       FROM (VALUES ('killed', 5), ('orphan', -1)) AS rows (id, later)`,
    );
    const answer = await collect({ collection_id: 'killed' });
    expect(answer.status).toBe(200);
    expect(
      await service.rows("SELECT attempt FROM collection WHERE collection_id = 'killed'"),
    ).toEqual([{ attempt: 2 }]);
    expect(await sweepOrphans(service.context)).toBe(1);
    expect((await collect({ collection_id: 'orphan' })).status).toBe(200);
  });

  it('waits while another process collects the same id, and then returns the same bytes', async () => {
    const other = await startService({ url: service.database.url });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 ? service : other).http
          .post('/metrics/collect')
          .send({ collection_id: 'shared' }),
      ),
    );
    await other.close();
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(await service.rows(COUNTS)).toEqual([{ points: 11, collections: 1 }]);
  });

  it('stores closed candles once, and includes the last closed candle in the market snapshot', async () => {
    for (let turn = 0; turn < 2; turn++) {
      await collect();
      expect(await service.rows('SELECT count(*)::int AS n FROM ohlcv_candle')).toEqual([
        { n: 900 },
      ]);
    }
    const [row] = await service.rows<{ candle: { open_time: string } }>(
      'SELECT candle FROM market_snapshot ORDER BY id DESC LIMIT 1',
    );
    const hour = 3_600_000;
    const newest = Math.floor(Date.now() / hour) * hour - hour;
    expect(Date.parse(row?.candle.open_time as string)).toBeGreaterThanOrEqual(newest - hour);
  });

  it('returns the correlation id with every response, and stores the id', async () => {
    const answers = await Promise.all([
      service.http.post('/metrics/collect').set('X-Correlation-ID', 'one').send({}),
      service.http.post('/metrics/collect').set('X-Request-ID', 'two').send({ source: 5 }),
      service.http.get('/nothing').set('X-Correlation-ID', 'three'),
    ]);
    expect(answers.map((answer) => answer.headers['x-correlation-id'])).toEqual([
      'one',
      'two',
      'three',
    ]);
    const own = await service.http.get('/nothing').set('X-Correlation-ID', 'no spaces please');
    expect(own.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
    await until(
      'the row',
      async () => (await service.rows('SELECT 1 FROM collection')).length === 1,
    );
    expect(await service.rows('SELECT correlation_id FROM collection')).toEqual([
      { correlation_id: 'one' },
    ]);
  });
});
