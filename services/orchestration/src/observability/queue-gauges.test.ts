import { Registry } from 'prom-client';
import { useHarness } from '../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../test/runner-client';
import { createRunSlots } from '../features/runs/claim/run-slots';
import { createQueueGauges } from './queue-gauges';
import {
  QUEUE_STATE,
  type QueueRules,
  type QueueState,
  queueRules,
  readQueueState,
} from './queue-state';

const TABLES = [
  ...['heartbeat_run', 'agent_wakeup', 'routine_run', 'routine_trigger', 'last_backup'],
  ...['_prisma_migrations', 'company'],
];

const nothing = { depth: 0, oldestAgeSeconds: 0, stalledSeconds: 0 };
const INSTALLED = expect.any(Number);
const STATE: QueueState = {
  queued: 4,
  running: 2,
  abandoned: 0,
  lastBackup: 0,
  installed: 1_700_000_000,
  unplaceable: { no_runner: 0, labels: 2 },
  waiting: {
    'heartbeat-runs': { depth: 3, oldestAgeSeconds: 1.5, stalledSeconds: 0 },
    'mention-wakeups': nothing,
    'routine-firings': nothing,
    'routine-schedules': nothing,
  },
};

describe('the queue gauges', () => {
  it('need only one read for concurrent scrapes', async () => {
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

  it('disappear from the metrics page if the queue state cannot be read', async () => {
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
        page.match(/^switchyard_(?:heartbeat|queue_[dos])\S+ [\d.]+$/gm)?.length ?? 0,
        /_failures_total (\d)/.exec(page)?.[1],
      ];
    };
    expect(await registry.metrics()).not.toMatch(/^switchyard_heartbeat_runs_waiting /m);
    expect(await shown()).toEqual([18, '0']);
    expect(await shown()).toEqual([0, '1']);
    expect(await shown()).toEqual([0, '2']);
    expect(await shown()).toEqual([0, '3']);
    expect(reads).toBe(3);
  });
});

describe('readQueueState', () => {
  const harness = useHarness();
  const state = () => readQueueState(harness.context.db.pool, queueRules(harness.context));
  const age = (id: string, seconds: number) =>
    harness.context.db.pool.query(
      `WITH run AS (
         UPDATE heartbeat_run SET created_at = now() - $2 * interval '1 second' WHERE id = $1
         RETURNING agent_id)
       UPDATE agent SET updated_at = now() - $2 * interval '1 second'
       WHERE id = (SELECT agent_id FROM run)`,
      [id, seconds],
    );

  it('returns only zeros for an empty system', async () => {
    const { waiting, ...runs } = await state();
    expect(runs).toEqual({
      ...{ queued: 0, running: 0, abandoned: 0, lastBackup: 0, installed: INSTALLED },
      unplaceable: { no_runner: 0, labels: 0 },
    });
    expect(Math.abs(runs.installed - Date.now() / 1000)).toBeLessThan(86_400);
    expect(Object.values(waiting)).toEqual([nothing, nothing, nothing, nothing]);
  });

  it('counts runs that wait for a worker, but not runs that wait for their agent or start time', async () => {
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

  it('reads only the rows of live runs', async () => {
    const { pool } = harness.context.db;
    const client = await pool.connect();
    let found = '';
    try {
      await client.query('SET enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${QUEUE_STATE}`, [[]]);
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
      'heartbeat_run_claim_order',
    ];
    const others = ['heartbeat_run_lease', 'agent_wakeup_pending', 'routine_run_pending'];
    const known = [
      ...live,
      ...others,
      'routine_trigger_due',
      'agent_pkey',
      'company_pkey',
      'last_backup_pkey',
      'run_limit_company_id_created_at_id_idx',
    ];
    const unknown = indexes.filter((name) => name && /_/.test(name) && !known.includes(name));
    expect(unknown.filter((name) => !TABLES.includes(name as string))).toEqual([]);
    expect(indexes).toEqual(expect.arrayContaining(others.slice(1)));
    expect(found).not.toMatch(/Seq Scan on (?!_prisma_migrations)/);
  });
});

describe('readQueueState with runners', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const read = async (more: Partial<QueueRules> = {}) => {
    const { context } = harness;
    const rules = { ...queueRules(context), ...more };
    const { waiting, unplaceable } = await readQueueState(context.db.pool, rules);
    return { ...waiting['heartbeat-runs'], unplaceable };
  };
  const stalled = async (more?: Partial<QueueRules>) => (await read(more)).stalledSeconds;
  const queueRuns = async (count: number, adapterConfig: object = {}, of?: string) => {
    const companyId = of ?? (await harness.build.company()).id;
    const config = { command: 'true', ...adapterConfig };
    for (let n = 0; n < count; n++) {
      const fields = { companyId, adapterType: 'process', adapterConfig: config };
      await harness.build.queuedRun((await harness.build.agent(fields)).id);
    }
    return companyId;
  };
  const twoMinutesLater = async () => {
    const { db } = harness.context;
    await db.pool.query(`UPDATE heartbeat_run SET created_at = created_at - interval '2 minutes',
      started_at = started_at - interval '2 minutes'`);
    await db.pool.query(`UPDATE agent SET updated_at = updated_at - interval '2 minutes'`);
  };
  const end = (where: object) =>
    harness.db.heartbeatRun.updateMany({
      where,
      data: { status: 'cancelled', finishedAt: new Date() },
    });

  afterEach(async () => {
    await end({ status: { in: ['queued', 'running'] } });
    await harness.db.runnerInstance.deleteMany();
  });

  it('returns a stall time of 0 s if runs wait only because their company holds its full share of the only runner', async () => {
    const companyId = await queueRuns(20);
    const runner = runnerClient(harness);
    await runner.hello({ capacity: 16 }).expect(200);
    const held: string[] = [];
    for (const free of [16, 8]) {
      const { runs } = await runner.next({ free, running: held });
      held.push(...runs.map(({ runId }) => runId));
    }
    expect(held).toHaveLength(12);
    await twoMinutesLater();
    const busy = await read();
    expect(busy).toMatchObject({ depth: 8, stalledSeconds: 0 });
    expect(busy.oldestAgeSeconds).toBeGreaterThanOrEqual(120);

    await queueRuns(1);
    await twoMinutesLater();
    expect(await stalled()).toBeGreaterThanOrEqual(120);
    expect(await stalled({ isPaused: true })).toBe(0);
    await runner.hello({ capacity: 12 }).expect(200);
    expect(await stalled()).toBe(0);

    await end({ id: { in: held.slice(0, 6) } });
    await end({ companyId: { not: companyId }, status: 'queued' });
    expect(await stalled()).toBeGreaterThanOrEqual(120);
    await runner.next({ free: 6, running: held.slice(6) });
    expect(await stalled()).toBeLessThan(60);
    expect(await stalled({ maxRunning: 3 })).toBe(0);
  });

  it('returns a stall time only if a runner has the labels of the run and a free slot', async () => {
    await queueRuns(2, { runnerLabels: ['gpu'] });
    await twoMinutesLater();
    expect(await read()).toMatchObject({
      stalledSeconds: 0,
      unplaceable: { no_runner: 0, labels: 2 },
    });
    await queueRuns(1);
    expect((await read()).unplaceable).toEqual({ no_runner: 1, labels: 2 });
    await runnerClient(harness, { labels: ['office'] })
      .hello()
      .expect(200);
    expect((await read()).unplaceable).toEqual({ no_runner: 0, labels: 2 });
    await runnerClient(harness, { labels: ['gpu', 'office'] })
      .hello()
      .expect(200);
    const found = await read();
    expect(found.unplaceable).toEqual({ no_runner: 0, labels: 0 });
    expect(found.stalledSeconds).toBeGreaterThanOrEqual(120);
  });

  it('counts a run as unplaceable if no runner may execute it, because company runners execute only their labelled runs', async () => {
    const companyId = await queueRuns(1);
    await queueRuns(1, { runnerLabels: ['office'] });
    const { body } = await harness.api
      .post(`/api/companies/${companyId}/runners`)
      .send({ name: 'ours', labels: ['office'] })
      .expect(201);
    await runnerClient(harness, { token: body.token }).hello().expect(200);
    expect((await read()).unplaceable).toEqual({ no_runner: 1, labels: 1 });
    await queueRuns(1, { runnerLabels: ['office'] }, companyId);
    expect((await read()).unplaceable).toEqual({ no_runner: 1, labels: 1 });
    await runnerClient(harness).hello().expect(200);
    expect((await read()).unplaceable).toEqual({ no_runner: 0, labels: 1 });
    expect((await read({ hasPods: true })).unplaceable).toEqual({ no_runner: 1, labels: 1 });
  });

  it('returns a stall time for runs that need no runner if this worker has a free slot for the company', async () => {
    const agent = await harness.build.agent();
    await harness.build.queuedRun(agent.id);
    await twoMinutesLater();
    const slots = createRunSlots(2);
    expect(await stalled()).toBe(0);
    expect(await stalled({ slots })).toBeGreaterThanOrEqual(120);
    slots.take({ id: agent.id, companyId: agent.companyId });
    expect(await stalled({ slots })).toBe(0);
  });
});
