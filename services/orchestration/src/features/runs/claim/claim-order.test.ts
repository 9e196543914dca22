import type { IssuePriority } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { claimNextRun } from './claim-next-run';
import { createRunSlots } from './run-slots';

describe('claimNextRun, for the waiting runs of a company', () => {
  const harness = useHarness();
  let companyId = '';
  beforeEach(async () => {
    companyId = (await harness.build.company()).id;
  });
  afterEach(async () => {
    await sql(`UPDATE heartbeat_run SET status = 'cancelled', finished_at = now()
      WHERE status IN ('queued', 'running')`);
  });

  const sql = async (text: string, ...values: unknown[]) =>
    (await harness.context.db.pool.query(text, values)).rows;
  const issueOf = (priority: IssuePriority) => harness.build.issue({ companyId, priority });
  const queue = async (priority: IssuePriority) => {
    const [issue, agent] = [await issueOf(priority), await harness.build.agent({ companyId })];
    const run = await harness.build.queuedRun(agent.id, { issueId: issue.id });
    return { id: run.id, agent, issue };
  };
  const ageBy = (hours: number, runId: string) =>
    sql(
      `UPDATE heartbeat_run SET created_at = created_at - $1 * interval '1 hour' WHERE id = $2`,
      hours,
      runId,
    );
  const claim = async (hintedId: string | null = null) => {
    const claiming = { context: harness.context, workerId: 'w', slots: createRunSlots(1) };
    return (await claimNextRun(claiming, hintedId))?.run.id ?? null;
  };
  const claimAll = async () => {
    const claimed: string[] = [];
    for (let id = await claim(); id !== null; id = await claim()) claimed.push(id);
    return claimed;
  };

  it('starts critical runs first, then high, medium and low runs', async () => {
    const [low, medium, high, critical] = [
      await queue('low'),
      await queue('medium'),
      await queue('high'),
      await queue('critical'),
    ];
    expect(await claimAll()).toEqual([critical.id, high.id, medium.id, low.id]);
  });

  it('starts the run that has waited longest if several runs have the same priority', async () => {
    const [young, old] = [await queue('high'), await queue('high')];
    await ageBy(1, old.id);
    expect(await claimAll()).toEqual([old.id, young.id]);
  });

  it.each([
    ['low', 'critical', 24],
    ['low', 'high', 12],
    ['low', 'medium', 4],
    ['medium', 'critical', 20],
    ['high', 'critical', 12],
  ] as const)(
    'starts a %s run before a %s run that is %i hours younger',
    async (less, more, hours) => {
      const [old, young] = [await queue(less), await queue(more)];
      await ageBy(hours - 1, old.id);
      expect(await claim()).toBe(young.id);
      await sql(`UPDATE heartbeat_run SET status = 'queued' WHERE id = $1`, young.id);
      await ageBy(2, old.id);
      expect(await claimAll()).toEqual([old.id, young.id]);
    },
  );

  it('starts low-priority runs within 24 simulated hours, even if critical runs could take every slot', async () => {
    const places = 2;
    const old = [await queue('low'), await queue('low')].map(({ id }) => id);
    const critical = [await queue('critical'), await queue('critical')];
    const waits = new Map<string, number>();
    for (let hour = 0; waits.size < old.length; hour++) {
      for (let place = 0; place < places; place++) {
        const id = (await claim()) as string;
        if (old.includes(id)) waits.set(id, hour);
        await sql(
          `UPDATE heartbeat_run SET status = 'cancelled', finished_at = now() WHERE id = $1`,
          id,
        );
      }
      await sql(`UPDATE heartbeat_run SET created_at = created_at - interval '1 hour'
        WHERE status = 'queued'`);
      for (const { agent, issue } of critical) {
        await harness.build.queuedRun(agent.id, { issueId: issue.id });
      }
      expect(hour).toBeLessThanOrEqual(24);
    }
    expect([...waits.values()]).toEqual([24, 24]);
  });

  it('starts the critical run even if the hint names a low-priority run', async () => {
    const [low, critical] = [await queue('low'), await queue('critical')];
    expect(await claim(low.id)).toBe(critical.id);
  });

  it('uses the new priority when the priority of an issue changes', async () => {
    const [one, two] = [await queue('medium'), await queue('medium')];
    const patch = (issueId: string, priority: string) =>
      harness.api.patch(`/api/issues/${issueId}`).send({ priority }).expect(200);
    await patch(two.issue.id, 'critical');
    await patch(one.issue.id, 'low');
    expect(await claimAll()).toEqual([two.id, one.id]);
  });

  it('uses the priority of the most urgent issue of several wakes, even after a priority changes', async () => {
    const [run, high] = [await queue('low'), await queue('high')];
    const other = await issueOf('critical');
    await harness.build.queuedRun(run.agent.id, { issueId: other.id });
    const ranks = async () =>
      (await sql('SELECT priority_rank AS rank FROM heartbeat_run WHERE id = $1', run.id))[0].rank;
    expect(await ranks()).toBe(0);
    await harness.api.patch(`/api/issues/${other.id}`).send({ priority: 'medium' }).expect(200);
    expect(await ranks()).toBe(2);
    await harness.api.patch(`/api/issues/${run.issue.id}`).send({ priority: 'high' }).expect(200);
    expect(await ranks()).toBe(1);
    expect(await claimAll()).toEqual([run.id, high.id]);
  });

  it('reports the place of each run in the queue, which changes with priorities and retries', async () => {
    const [low, high, retry] = [await queue('low'), await queue('high'), await queue('critical')];
    const read = async (runId: string) =>
      (await harness.api.get(`/api/heartbeat-runs/${runId}`).expect(200)).body;
    const places = async () => {
      const runs = await Promise.all([low, high, retry].map(({ id }) => read(id)));
      const { body } = await harness.api.get(`/api/companies/${companyId}/overview`).expect(200);
      const shown = new Map(
        body.waiting.runs.map((run: { id: string; queuePosition: number }) => [
          run.id,
          run.queuePosition,
        ]),
      );
      expect(runs.map(({ id }) => shown.get(id))).toEqual(runs.map((run) => run.queuePosition));
      return runs.map(({ queuePosition }) => queuePosition);
    };
    expect(await places()).toEqual([3, 2, 1]);
    const start = new Date(Date.now() + 3_600_000);
    await sql('UPDATE heartbeat_run SET not_before = $1 WHERE id = $2', start, retry.id);
    expect(await places()).toEqual([2, 1, null]);
    expect((await read(retry.id)).expectedStartAt).toBe(start.toISOString());
    await harness.api.patch(`/api/issues/${low.issue.id}`).send({ priority: 'critical' });
    expect(await places()).toEqual([1, 2, null]);
    await harness.api.post(`/api/agents/${high.agent.id}/pause`).expect(200);
    expect((await read(low.id)).queuePosition).toBe(1);
  });

  it('estimates the start of a run from the starts in the last hour, if at least ten runs started in that hour', async () => {
    const run = await queue('low');
    const expectedStart = async () =>
      (await harness.api.get(`/api/heartbeat-runs/${run.id}`).expect(200)).body.expectedStartAt;
    const addStarts = (count: number) =>
      sql(
        `INSERT INTO activity (id, company_id, actor_type, action, entity_type, entity_id)
        SELECT gen_random_uuid(), $1, 'system', 'heartbeat.started', 'heartbeat_run', gen_random_uuid()
        FROM generate_series(1, $2)`,
        companyId,
        count,
      );
    await addStarts(9);
    expect(await expectedStart()).toBeNull();
    await addStarts(51);
    const [{ soon }] = await sql(
      "SELECT $1::timestamptz <= now() + interval '1 minute' AS soon",
      [await expectedStart()][0],
    );
    expect(soon).toBe(true);
  });

  it('counts the waiting time of a retry from its earliest start time', async () => {
    const [medium, retry] = [await queue('medium'), await queue('medium')];
    await ageBy(1, retry.id);
    const setStart = (seconds: number) =>
      sql(
        `UPDATE heartbeat_run SET not_before = now() + $1 * interval '1 second' WHERE id = $2`,
        seconds,
        retry.id,
      );
    await setStart(60);
    expect(await claim()).toBe(medium.id);
    expect(await claim()).toBeNull();
    await setStart(-1);
    expect(await claim()).toBe(retry.id);
  });
});
