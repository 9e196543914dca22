import { newId } from '@switchyard/db';
import { silentLogger } from '@switchyard/server';
import { until } from '@switchyard/testing';
import { useHarness } from '../../../../test/harness';
import { startWorkers } from '../../../../test/runner';
import { startWorkerProcess, type WorkerProcess } from '../../../../test/worker-process';
import { createContext } from '../../../create-context';

const ROUNDS = Number(process.env.ROUTINE_KILL_ROUNDS ?? 3);
const KILL_TEST_MS = 90_000 + ROUNDS * 15_000;
const YEARLY = { kind: 'schedule', cronExpression: '0 0 1 1 *', timezone: 'UTC' };

const COUNTS = `
  SELECT count(*)::int AS runs, count(DISTINCT trigger_id)::int AS triggers,
    count(*) FILTER (WHERE status = 'pending')::int AS pending,
    count(*) FILTER (WHERE status = 'issue_created')::int AS issues FROM routine_run`;

describe('schedules with several workers', () => {
  const harness = useHarness();
  beforeEach(async () => {
    await harness.db.routineTrigger.deleteMany({});
    await harness.db.routineRun.deleteMany({ where: { status: 'pending' } });
  });

  const counts = async () => (await harness.context.db.pool.query(COUNTS)).rows[0];
  const reset = () => harness.db.routineRun.updateMany({ data: { triggerId: null } });

  const makeDue = async (count: number, firstMs: number, apartMs: number) => {
    const routines = await Promise.all(Array.from({ length: 10 }, () => harness.build.routine()));
    const triggers = Array.from({ length: count }, (_, at) => ({
      ...YEARLY,
      id: newId(),
      companyId: routines[at % 10]?.companyId as string,
      routineId: routines[at % 10]?.id as string,
    }));
    await harness.db.routineTrigger.createMany({ data: triggers });
    await harness.context.db.pool.query(
      `UPDATE routine_trigger t SET next_run_at =
          date_trunc('milliseconds', now()) + ($2 + $3 * (place - 1)) * interval '1 millisecond'
        FROM unnest($1::uuid[]) WITH ORDINALITY AS due(id, place) WHERE t.id = due.id`,
      [triggers.map(({ id }) => id), firstMs, apartMs],
    );
    return triggers.map(({ id }) => id);
  };

  it('fire 1,000 triggers that are due at the same instant exactly once each', async () => {
    await makeDue(1_000, 2_000, 0);
    const contexts = Array.from({ length: 4 }, (_, at) =>
      createContext({ ...harness.config, databasePoolSize: 8 }, `worker-${at}`, {
        logger: silentLogger,
        adapters: harness.context.adapters,
      }),
    );
    const workers = contexts.map(startWorkers);
    try {
      await until('all to be claimed and each routine to have its issue', async () => {
        const { runs, issues } = await counts();
        return runs >= 1_000 && issues >= 10;
      });
    } finally {
      const deadlines = { handOverAfterMs: 1_000 };
      await Promise.all(workers.map((worker) => worker.close(deadlines)));
      await Promise.all(contexts.map((context) => context.close()));
    }
    expect(await counts()).toMatchObject({ runs: 1_000, triggers: 1_000, issues: 10 });
    const { rows } = await harness.context.db.pool.query<{ ms: number }>(
      `SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM triggered_at - scheduled_for))
        ::float8 * 1000 AS ms FROM routine_run`,
    );
    process.stdout.write(`claimed within ${Math.round(rows[0]?.ms ?? 0)} ms (p99)\n`);
  });

  it(
    'fire each due trigger once, even if workers are killed at the due time',
    async () => {
      const started: WorkerProcess[] = [];
      const start = async () => {
        const worker = await startWorkerProcess(harness.config);
        started.push(worker);
        return worker;
      };
      const kill = async (worker: WorkerProcess) => {
        worker.signal('SIGKILL');
        await worker.ended;
      };
      await reset();
      const before = (await counts()).triggers;
      try {
        let due = 0;
        for (let round = 0; round < ROUNDS; round++) {
          const worker = await start();
          due += (await makeDue(30, 200, 25)).length;
          await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 750));
          await kill(worker);
        }
        await start();
        await until('all to be fired', async () => {
          const { triggers, pending } = await counts();
          return triggers - before >= due && pending === 0;
        });
        const { rows } = await harness.context.db.pool.query(
          'SELECT count(*)::int AS runs FROM routine_run WHERE trigger_id IS NOT NULL',
        );
        expect(rows).toEqual([{ runs: due }]);
      } finally {
        await Promise.all(started.map(kill));
      }
    },
    KILL_TEST_MS,
  );
});
