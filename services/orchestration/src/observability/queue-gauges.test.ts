import { Registry } from 'prom-client';
import { useHarness } from '../../test/harness';
import { createQueueGauges } from './queue-gauges';
import { QUEUE_STATE, type QueueState, readQueueState } from './queue-state';

/** Named by the plan beside the index that is read. */
const TABLES = ['heartbeat_run', 'agent_wakeup', 'routine_run', 'routine_trigger', 'last_backup'];

const nothing = { depth: 0, oldestAgeSeconds: 0 };
const STATE: QueueState = {
  queued: 4,
  running: 2,
  abandoned: 0,
  lastBackup: 0,
  waiting: {
    'heartbeat-runs': { depth: 3, oldestAgeSeconds: 1.5 },
    'mention-wakeups': nothing,
    'routine-firings': nothing,
    'routine-schedules': nothing,
  },
};

describe('the numbers of the queue', () => {
  it('are read once for all who ask at about the same time', async () => {
    const registry = new Registry();
    let reads = 0;
    const gauges = createQueueGauges(registry, async () => {
      reads++;
      return STATE;
    });
    await Promise.all(Array.from({ length: 20 }, () => gauges.refresh()));
    await gauges.refresh();
    expect(reads).toBe(1);
    const page = await registry.metrics();
    expect(page).toMatch(/^switchyard_heartbeat_runs_waiting 3$/m);
    expect(page).toMatch(/^switchyard_queue_oldest_age_seconds{queue="heartbeat-runs"} 1.5$/m);
  });

  it('are absent rather than old when they cannot be had, and the page comes all the same', async () => {
    const registry = new Registry();
    const answers: (() => Promise<QueueState>)[] = [
      () => Promise.resolve(STATE),
      () => Promise.reject(new Error('away')),
      () => new Promise(() => undefined),
    ];
    let reads = 0;
    const read = () => (answers[reads++] as () => Promise<QueueState>)();
    const gauges = createQueueGauges(registry, read, { maxAgeMs: 0, deadlineMs: 20 });
    const shown = async () => {
      await gauges.refresh();
      const page = await registry.metrics();
      return [
        page.match(/^switchyard_(?:heartbeat|queue_[do])\S+ [\d.]+$/gm)?.length ?? 0,
        /_failures_total (\d)/.exec(page)?.[1],
      ];
    };
    expect(await registry.metrics()).not.toMatch(/^switchyard_heartbeat_runs_waiting /m);
    expect(await shown()).toEqual([12, '0']);
    expect(await shown()).toEqual([0, '1']);
    expect(await shown()).toEqual([0, '2']);
    // The read that hangs is not joined by another.
    expect(await shown()).toEqual([0, '3']);
    expect(reads).toBe(3);
  });
});

describe('the state of the queue', () => {
  const harness = useHarness();
  const state = () => readQueueState(harness.context.db.pool);
  const age = (id: string, seconds: number) =>
    harness.context.db.pool.query(
      `WITH run AS (
         UPDATE heartbeat_run SET created_at = now() - $2 * interval '1 second' WHERE id = $1
         RETURNING agent_id)
       UPDATE agent SET updated_at = now() - $2 * interval '1 second'
       WHERE id = (SELECT agent_id FROM run)`,
      [id, seconds],
    );

  it('is empty in an empty system', async () => {
    const { waiting, ...runs } = await state();
    expect(runs).toEqual({ queued: 0, running: 0, abandoned: 0, lastBackup: 0 });
    expect(Object.values(waiting)).toEqual([nothing, nothing, nothing, nothing]);
  });

  it('tells runs that wait for a worker from those that wait for their agent or their time', async () => {
    const { db, build } = harness;
    const ready = await build.queuedRun((await build.agent()).id);
    const delayed = await build.queuedRun((await build.agent()).id);
    const notBefore = new Date(Date.now() + 3_600_000);
    await db.heartbeatRun.update({ where: { id: delayed.id }, data: { notBefore } });
    const live = await build.liveRun();
    await build.queuedRun(live.agent.id);
    await age(ready.id, 40);
    const found = await state();
    expect(found).toMatchObject({ queued: 3, running: 1, abandoned: 0 });
    expect(found.waiting['heartbeat-runs'].depth).toBe(1);
    expect(found.waiting['heartbeat-runs'].oldestAgeSeconds).toBeGreaterThanOrEqual(40);
    expect(found.waiting['heartbeat-runs'].oldestAgeSeconds).toBeLessThan(60);

    const leaseExpiresAt = new Date(Date.now() - 5_000);
    await db.heartbeatRun.update({ where: { id: live.id }, data: { leaseExpiresAt } });
    expect((await state()).abandoned).toBe(1);
  });

  it('reads nothing but live rows', async () => {
    const { pool } = harness.context.db;
    const client = await pool.connect();
    let found = '';
    try {
      await client.query('SET enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${QUEUE_STATE}`);
      found = rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await client.query('RESET enable_seqscan');
      client.release();
    }
    const indexes = [...found.matchAll(/Scan (?:using|on) (\w+)/g)].map((match) => match[1]);
    const live = [
      'heartbeat_run_one_queued',
      'heartbeat_run_waiting',
      'heartbeat_run_running',
      'heartbeat_run_waiting_company',
    ];
    const others = ['heartbeat_run_lease', 'agent_wakeup_pending', 'routine_run_pending'];
    const known = [...live, ...others, 'routine_trigger_due', 'agent_pkey', 'last_backup_pkey'];
    const unknown = indexes.filter((name) => name && /_/.test(name) && !known.includes(name));
    expect(unknown.filter((name) => !TABLES.includes(name as string))).toEqual([]);
    expect(indexes).toEqual(expect.arrayContaining(others.slice(1)));
    expect(found).not.toMatch(/Seq Scan/);
  });
});
