import { newId } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { AgentDetailView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { startWorkers } from '../../../../test/runner';
import { SUCCEEDED } from '../../../../test/scripted-adapter';
import type { Workers } from '../../../work/jobs';
import { claimNextRun } from './claim-next-run';
import { findWaiting } from './find-waiting-run';
import { createRunSlots } from './run-slots';

describe('claimNextRun', () => {
  const harness = useHarness({ config: { workerConcurrency: 4 } });
  const { shut, signal, wake } = createGate();
  const workers: Workers[] = [];

  const startTwo = () => workers.push(startWorkers(harness.context), startWorkers(harness.context));
  const sleeper = async (of: Partial<AgentDetailView> = {}) => {
    const agent = await harness.build.agent({ maxConcurrentRuns: 50, ...of });
    harness.scripted.on(agent.id, async () => {
      await signal();
      return SUCCEEDED;
    });
    return agent;
  };
  const count = (where: object) => harness.db.heartbeatRun.count({ where });
  const running = (companyId: string) => count({ companyId, status: 'running' });

  beforeEach(shut);
  afterEach(async () => {
    wake();
    await harness.db.$executeRaw`UPDATE heartbeat_run SET status = 'cancelled',
      finished_at = now() WHERE status = 'queued'`;
    for (const worker of workers.splice(0)) {
      await worker.close({ handOverAfterMs: 5_000 });
    }
  });

  it('keeps one slot per worker free for other companies, so their runs start immediately', async () => {
    const company = await harness.build.company();
    const agents = await Promise.all(
      Array.from({ length: 50 }, () => sleeper({ companyId: company.id })),
    );
    await Promise.all(agents.map(({ id }) => harness.build.queuedRun(id)));
    startTwo();
    await until('the share of two workers', async () => (await running(company.id)) === 6);

    const other = await harness.build.agent();
    const { id } = await harness.build.queuedRun(other.id);
    await until("the other company's run", () => count({ id, status: 'succeeded' }));
    expect(await running(company.id)).toBe(6);

    const patient = await sleeper();
    await harness.build.queuedRun(patient.id);
    await until("a second company's", () => running(patient.companyId));
    wake();
    await until('all of them', async () => (await count({ status: 'succeeded' })) === 52);
    expect(await count({ companyId: company.id, status: 'succeeded', attempt: 1 })).toBe(50);
  });

  it('prefers the company with the fewest running runs, even if the hint names another run', async () => {
    const [many, few] = [await sleeper(), await sleeper()];
    await harness.build.liveRun(many);
    const hinted = await harness.build.queuedRun(many.id);
    const fair = await harness.build.queuedRun(few.id);
    const claiming = { context: harness.context, workerId: 'w', slots: createRunSlots(4) };
    const first = await claimNextRun(claiming, hinted.id);
    expect(first?.run.id).toBe(fair.id);
    const second = await claimNextRun(claiming, fair.id);
    expect(second?.run.id).toBe(hinted.id);
    expect(await claimNextRun(claiming, hinted.id)).toBeNull();
  });

  it('reports whether another run may be claimable', async () => {
    const { id: companyId } = await harness.build.company();
    const queue = async (of: object) => harness.build.queuedRun((await sleeper(of)).id);
    const claiming = { context: harness.context, workerId: 'w', slots: createRunSlots(4) };
    const next = async () => (await claimNextRun(claiming, null))?.mayBeMore;
    for (let n = 0; n < 5; n++) await queue({ companyId });
    expect([await next(), await next()]).toEqual([true, true]);
    expect(await next()).toBe(false);
    await queue({});
    await queue({});
    expect(await next()).toBe(true);
    expect(await next()).toBeUndefined();
  });

  it('claims each run once, even if two workers claim concurrently', async () => {
    const agents = await Promise.all(Array.from({ length: 6 }, () => sleeper()));
    const runs = await Promise.all(agents.map(({ id }) => harness.build.queuedRun(id)));
    const claims = ['one', 'two'].flatMap((workerId) => {
      const claiming = { context: harness.context, workerId, slots: createRunSlots(8) };
      return runs.map(() => claimNextRun(claiming, runs[0]?.id ?? null));
    });
    const taken = (await Promise.all(claims)).flatMap((each) => (each ? [each.run.id] : []));
    expect(taken.sort()).toEqual(runs.map(({ id }) => id).sort());
  });

  it('skips runs that cannot start yet', async () => {
    const { id: companyId } = await harness.build.company();
    const [busy, delayed, free] = [
      await sleeper({ companyId, maxConcurrentRuns: 1 }),
      await sleeper({ companyId }),
      await sleeper({ companyId }),
    ];
    await harness.build.liveRun(busy);
    const [full] = [await harness.build.queuedRun(busy.id)];
    const later = await harness.build.queuedRun(delayed.id);
    const notBefore = new Date(Date.now() + 3_600_000);
    await harness.db.heartbeatRun.update({ where: { id: later.id }, data: { notBefore } });
    const { id } = await harness.build.queuedRun(free.id);
    for (const hint of [full.id, later.id, newId()]) {
      const claiming = { context: harness.context, workerId: 'w', slots: createRunSlots(4) };
      const taken = await claimNextRun(claiming, hint);
      expect(taken?.run.id ?? id).toBe(id);
    }
    expect(await count({ id, status: 'running' })).toBe(1);
  });

  it('takes over lost runs within the fair share, and ends cancelled runs without using a slot', async () => {
    const agent = await sleeper();
    const lose = async () => {
      const { id } = await harness.build.liveRun(agent);
      const leaseExpiresAt = new Date(Date.now() - 1_000);
      await harness.db.heartbeatRun.update({ where: { id }, data: { leaseExpiresAt } });
      return id;
    };
    const [one, two, three] = [await lose(), await lose(), await lose()];
    const claiming = { context: harness.context, workerId: 'w', slots: createRunSlots(3) };
    const first = await claimNextRun(claiming, one);
    expect((await claimNextRun(claiming, two))?.run.id).toBe(two);
    expect(await claimNextRun(claiming, three)).toBeNull();
    expect(await count({ id: three, status: 'running', epoch: 1 })).toBe(1);
    await harness.db.heartbeatRun.update({
      where: { id: three },
      data: { cancelRequestedAt: new Date(), cancelReason: 'cancelled' },
    });
    expect(await claimNextRun(claiming, three)).toBeNull();
    expect(await count({ id: three, status: 'cancelled' })).toBe(1);
    first?.leave();
  });
});

describe('maxRunningRunsPerCompany', () => {
  const harness = useHarness({ config: { maxRunningRunsPerCompany: 3 } });

  it('limits the running runs of a company across any number of workers', async () => {
    const { id: companyId } = await harness.build.company();
    const runs = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const agent = await harness.build.agent({ companyId });
        return harness.build.queuedRun(agent.id);
      }),
    );
    const claims = runs.map(({ id }) => {
      const slots = createRunSlots(8);
      return claimNextRun({ context: harness.context, workerId: newId(), slots }, id);
    });
    const taken = (await Promise.all(claims)).filter((each) => each !== null);
    expect(taken).toHaveLength(3);
    const where = { companyId, status: 'running' };
    expect(await harness.db.heartbeatRun.count({ where })).toBe(3);
  });
});

describe('the query for the next run', () => {
  const harness = useHarness();

  const fill = async (companyId: string, status: string, count: number, notBefore?: Date) => {
    const { pool } = harness.context.db;
    for (let left = count; left > 0; left -= 2_000) {
      await pool.query(
        `WITH made AS (
          INSERT INTO agent (id, company_id, name, name_key, role, adapter_type)
          SELECT gen_random_uuid(), $1::uuid, gen_random_uuid()::text, gen_random_uuid()::text, 'engineer', 'scripted'
          FROM generate_series(1, $3::int) RETURNING id)
        INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, priority_rank, finished_at, not_before)
        SELECT gen_random_uuid(), $1::uuid, id, $2, 'manual', row_number() OVER () % 4,
          CASE $2 WHEN 'queued' THEN NULL ELSE now() END, $4 FROM made`,
        [companyId, status, Math.min(left, 2_000), notBefore],
      );
    }
    await pool.query('ANALYZE heartbeat_run, agent');
  };

  const pages = async () => {
    const client = await harness.context.db.pool.connect();
    try {
      await client.query('SET plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE find AS ${findWaiting.text}`);
      const explain =
        "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE find (NULL, '{}', '{}', '{}', 0, 'worker', '{}', '{}', NULL, 1)";
      // The first execution of a session also reads the definitions of functions.
      await client.query(explain);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        explain,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan as Record<string, number>;
      expect(JSON.stringify(plan)).not.toContain('Seq Scan');
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    } finally {
      await client.query('DEALLOCATE ALL');
      await client.query('RESET ALL');
      client.release();
    }
  };

  it('reads no more database pages with thousands of ended and waiting runs than with few', async () => {
    const [many, few] = [await harness.build.company(), await harness.build.company()];
    await fill(many.id, 'succeeded', 5_000);
    await fill(many.id, 'queued', 500);
    await fill(few.id, 'queued', 1);
    const before = await pages();
    await fill(many.id, 'succeeded', 10_000);
    await fill(many.id, 'queued', 10_000);
    expect(await pages()).toBeLessThan(before + 20);
    expect(before).toBeLessThan(70);
    const inOneHour = new Date(Date.now() + 3_600_000);
    await fill(few.id, 'queued', 2_000, inOneHour);
    expect(await pages()).toBeLessThan(before + 60);
  });
});

function createGate() {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    shut: () => {
      isOpen = false;
    },
    signal: () => new Promise<void>((go) => (isOpen ? go() : waiting.add(go))),
    wake: () => {
      isOpen = true;
      for (const go of waiting) go();
      waiting.clear();
    },
  };
}
