import { newId } from '@switchyard/db';
import { useHarness } from '../../../../test/harness';
import { claimNextRun } from './claim-next-run';
import { createRunSlots } from './run-slots';

describe('claimNextRun, for waiting runs of several companies', () => {
  const harness = useHarness();
  afterEach(async () => {
    await sql(`UPDATE heartbeat_run SET status = 'cancelled', finished_at = now()
      WHERE status IN ('queued', 'running')`);
  });

  const sql = async (text: string, ...values: unknown[]) =>
    (await harness.context.db.pool.query(text, values)).rows;
  const companyOf = async (runWeight: number, runs: number) => {
    const { id } = await harness.build.company();
    await harness.api.patch(`/api/companies/${id}`).send({ runWeight }).expect(200);
    for (let n = 0; n < runs; n++) {
      const agent = await harness.build.agent({ companyId: id });
      await harness.build.queuedRun(agent.id);
    }
    return { id, runWeight };
  };
  const claim = async () => {
    const claiming = { context: harness.context, workerId: newId(), slots: createRunSlots(1) };
    return (await claimNextRun(claiming, null))?.run ?? null;
  };
  const claimMany = async (count: number) => {
    const starts = new Map<string, number>();
    for (let n = 0; n < count; n++) {
      const run = await claim();
      if (!run) throw new Error('no run was claimed');
      starts.set(run.companyId, (starts.get(run.companyId) ?? 0) + 1);
      await sql(
        `UPDATE heartbeat_run SET status = 'queued', started_at = NULL, created_at = now() WHERE id = $1`,
        run.id,
      );
    }
    return starts;
  };

  it('starts runs of 20 companies in proportion to their weights, within 3 %', async () => {
    const companies = await Promise.all(
      Array.from({ length: 20 }, (_, n) => companyOf(1 + (n % 4), 1)),
    );
    const total = companies.reduce((sum, { runWeight }) => sum + runWeight, 0);
    const count = 3_000;
    const starts = await claimMany(count);
    for (const { id, runWeight } of companies) {
      const share = (starts.get(id) ?? 0) / ((count * runWeight) / total);
      expect(share).toBeGreaterThan(0.97);
      expect(share).toBeLessThan(1.03);
    }
  });

  it('after idle time, gives a company no extra starts', async () => {
    const busy = await companyOf(1, 1);
    await claimMany(40);
    const idle = await companyOf(1, 1);
    const starts = await claimMany(20);
    expect(starts.get(idle.id)).toBeLessThanOrEqual(11);
    expect(starts.get(busy.id)).toBeGreaterThanOrEqual(9);
  });

  it('counts each start once if two workers claim concurrently', async () => {
    const { id } = await companyOf(2, 6);
    const claimed = await Promise.all(Array.from({ length: 6 }, claim));
    const [row] = await sql('SELECT turn FROM company_turn WHERE company_id = $1', id);
    expect(row.turn).toBe(claimed.filter(Boolean).length / 2);
  });
});
