import { newId } from '@switchyard/db';
import type { HeartbeatRunDetailView, RunAssignment, SpendCapScope } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../../test/runner-client';
import { continuePausedRuns } from '../../../state/costs/continue-paused-runs';
import { sweepReservations } from '../../../state/costs/sweep-reservations';

const MOST_PAGES = 5_000;

describe('a waiting run with several wakes', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const query = (sql: string, ...values: unknown[]) => harness.context.db.pool.query(sql, values);

  const begin = async () => {
    const { api, build } = harness;
    const adapterConfig = { command: 'true', runnerLabels: ['own'] };
    const agent = await build.agent({ adapterType: 'process', adapterConfig });
    const { companyId, id: agentId } = agent;
    const { body } = await api
      .post(`/api/companies/${companyId}/runners`)
      .send({ name: 'own', labels: ['own'] })
      .expect(201);
    const runner = runnerClient(harness, { token: body.token, labels: ['own'] });
    const take = async () => {
      const first = ((await runner.take()) as RunAssignment[])[0];
      return (first ?? ((await runner.take()) as RunAssignment[])[0]) as RunAssignment;
    };
    const issue = async (more: object = {}) => (await build.issue({ companyId, ...more })).id;
    const wake = async (issueId: string) => (await build.queuedRun(agentId, { issueId })).id;
    const caps = `/api/companies/${companyId}/spend-caps`;
    const cap = async (scope: SpendCapScope, scopeId: string, cents = 100) =>
      (await api.post(caps).send({ scope, scopeId, period: 'total', cents }).expect(201)).body;
    const change = (id: string, cents: number) =>
      api.patch(`${caps}/${id}`).send({ cents }).expect(200);
    const spend = (cents: number, about: { issueId?: string; runId?: string }) =>
      api
        .post(`/api/companies/${companyId}/cost-events`)
        .send({
          ...{ agentId, provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 },
          ...{ costCents: cents, ...about },
        })
        .expect(201);
    const check = async () => {
      await query(`UPDATE budget_pause SET checked_at = now() - interval '1 hour'`);
      return continuePausedRuns(harness.context);
    };
    const read = async (runId: string): Promise<HeartbeatRunDetailView> =>
      (await api.get(`/api/heartbeat-runs/${runId}`).expect(200)).body;
    const wakesOf = async (runId: string) =>
      (await read(runId)).wakes.map(({ issueId }) => issueId);
    const fail = (run: RunAssignment) => {
      const failed = { status: 'failed', exitCode: 1, errorCode: 'x', error: 'x' } as const;
      return runner.end(run, { ...failed, transient: false }).expect(204);
    };
    const retry = async (runId: string) =>
      (await api.post(`/api/heartbeat-runs/${runId}/retry`).expect(202)).body.id as string;
    return {
      ...{ agentId, companyId, runner, take, issue, wake, cap, change, spend, check, read },
      ...{ wakesOf, fail, retry },
    };
  };

  it.each(['issue', 'project'] as const)(
    'starts without the wakes whose %s has a spent cap, and these continue after it is raised',
    async (scope) => {
      const begun = await begin();
      const { companyId, issue, wake, cap, change, spend, take, wakesOf, read, check } = begun;
      const { id: projectId } = await harness.build.project({ companyId });
      const capped = await issue({ projectId });
      const other = await issue();
      const scopeId = scope === 'issue' ? capped : projectId;
      const waiting = await wake(capped);
      expect(await wake(other)).toBe(waiting);
      const { id } = await cap(scope, scopeId);
      await spend(100, { issueId: capped });
      const started = await take();
      expect(await wakesOf(started.runId)).toEqual([other]);
      expect(started.spec.wakes.map(({ issueId }) => issueId)).toEqual([other]);
      expect(await read(started.runId)).toMatchObject({ issueId: other, status: 'running' });
      expect(await wakesOf(waiting)).toEqual([capped]);
      expect(await read(waiting)).toMatchObject({
        status: 'cancelled',
        errorCode: 'paused_budget',
        error: expect.stringContaining(`its ${scope} has reached a spending cap`),
        issueId: capped,
      });
      await begun.runner.end(started).expect(204);
      expect(await check()).toBe(0);
      await change(id, 101);
      expect(await check()).toBe(1);
      const next = await take();
      expect(await read(next.runId)).toMatchObject({ issueId: capped, retryOfRunId: waiting });
    },
  );

  it('keeps its age and its highest priority for the wakes that start', async () => {
    const { issue, wake, cap, spend, take, wakesOf } = await begin();
    const capped = await issue();
    const [low, critical] = [
      await issue({ priority: 'low' }),
      await issue({ priority: 'critical' }),
    ];
    const waiting = await wake(capped);
    await wake(low);
    await wake(critical);
    await query(
      `UPDATE heartbeat_run SET created_at = created_at - interval '1 day' WHERE id = $1`,
      waiting,
    );
    await cap('issue', capped);
    await spend(100, { issueId: capped });
    const started = await take();
    expect(await wakesOf(started.runId)).toEqual([low, critical]);
    const rankOf = async (runId: string) =>
      (await query(`SELECT created_at, priority_rank FROM heartbeat_run WHERE id = $1`, runId))
        .rows[0];
    const { created_at } = await rankOf(waiting);
    expect(await rankOf(started.runId)).toEqual({ created_at, priority_rank: 0 });
  });

  it('continues with the wakes of other work after a call did not fit, and later with the others', async () => {
    const { issue, wake, cap, change, spend, take, wakesOf, check, read, runner } = await begin();
    const [first, second] = [await issue({ priority: 'low' }), await issue()];
    const { id } = await cap('issue', first);
    await wake(first);
    await wake(second);
    const run = await take();
    expect(await read(run.runId)).toMatchObject({ issueId: first });
    expect((await runner.reserve(run, newId(), 101).expect(200)).body.code).toBe('issue_cap');
    await cap('run', run.runId, 500);
    await runner.end(run, { status: 'paused', exitCode: 1, error: 'no room' }).expect(204);
    expect(await check()).toBe(1);
    expect(await check()).toBe(0);
    const other = await take();
    expect(await wakesOf(other.runId)).toEqual([second]);
    expect(await read(other.runId)).toMatchObject({
      ...{ issueId: second, source: 'retry', retryOfRunId: run.runId },
    });
    await spend(450, { runId: other.runId });
    expect((await runner.reserve(other, newId(), 51).expect(200)).body.code).toBe('run_cap');
    await runner.end(other).expect(204);
    expect(await check()).toBe(0);
    await change(id, 200);
    expect(await check()).toBe(0);
    await query(`UPDATE spend_cap SET cents = 1000 WHERE scope_id = $1`, run.runId);
    expect(await check()).toBe(1);
    const last = await take();
    expect(await wakesOf(last.runId)).toEqual([first]);
    expect(await read(last.runId)).toMatchObject({ retryOfRunId: run.runId });
    expect(await check()).toBe(0);
  });

  it('repeats only the wakes that still wait if a person retries it', async () => {
    const { issue, wake, cap, take, wakesOf, check, read, retry, runner } = await begin();
    const [free, held] = [await issue(), await issue()];
    await cap('issue', held);
    await wake(held);
    await wake(free);
    const run = await take();
    await runner.reserve(run, newId(), 101).expect(200);
    await runner.end(run, { status: 'paused', exitCode: 1, error: 'no room' }).expect(204);
    expect(await check()).toBe(1);
    const other = await take();
    expect(await wakesOf(other.runId)).toEqual([free]);
    await query(`UPDATE heartbeat_run SET issue_id = $2 WHERE id = $1`, run.runId, free);
    const retried = await retry(run.runId);
    expect(await wakesOf(retried)).toEqual([held]);
    expect(await read(retried)).toMatchObject({ issueId: held, retryOfRunId: run.runId });
    expect(await check()).toBe(0);
  });

  it.each(['agent', 'project', 'run'] as const)(
    'holds all its wakes after a call that the %s cannot afford',
    async (scope) => {
      const { companyId, agentId, issue, wake, cap, take, check, runner } = await begin();
      const { id: projectId } = await harness.build.project({ companyId });
      for (const _ of [1, 2]) await wake(await issue({ projectId }));
      const run = await take();
      await cap(scope, { agent: agentId, project: projectId, run: run.runId }[scope]);
      await runner.reserve(run, newId(), 101).expect(200);
      await runner.end(run, { status: 'paused', exitCode: 1, error: 'no room' }).expect(204);
      expect(await check()).toBe(0);
    },
  );

  it('continues with the first wake whose cap is raised, while the others wait', async () => {
    const { issue, wake, cap, change, spend, take, wakesOf, check, read } = await begin();
    const [first, second] = [await issue(), await issue()];
    const ofFirst = await cap('issue', first);
    const ofSecond = await cap('issue', second);
    const waiting = await wake(first);
    await wake(second);
    await spend(100, { issueId: first });
    await spend(100, { issueId: second });
    expect(await take()).toBeUndefined();
    expect(await wakesOf(waiting)).toEqual([first, second]);
    expect(await check()).toBe(0);
    await change(ofSecond.id, 101);
    expect(await check()).toBe(1);
    const started = await take();
    expect(await wakesOf(started.runId)).toEqual([second]);
    await change(ofFirst.id, 101);
    expect(await check()).toBe(1);
    const { rows } = await query(
      `SELECT id FROM heartbeat_run WHERE agent_id = (SELECT agent_id FROM heartbeat_run WHERE id = $1) AND status = 'queued'`,
      waiting,
    );
    expect(await wakesOf(rows[0].id)).toEqual([first]);
    expect((await read(rows[0].id)).source).toBe('retry');
  });

  it('starts with the wakes of other work if the cap of a routine is spent', async () => {
    const { companyId, agentId, issue, wake, cap, spend, take, wakesOf, read } = await begin();
    const routine = await harness.build.routine({ companyId, assigneeAgentId: agentId });
    await harness.api.post(`/api/routines/${routine.id}/run`).send({}).expect(202);
    const other = await issue();
    const waiting = await wake(other);
    const { issueId, routineRunId } = await read(waiting);
    expect(routineRunId).not.toBeNull();
    await cap('routine', routine.id);
    await spend(100, { issueId: issueId as string });
    const started = await take();
    expect(await wakesOf(started.runId)).toEqual([other]);
    expect(await read(started.runId)).toMatchObject({ routineRunId: null });
    expect(await wakesOf(waiting)).toEqual([issueId]);
    expect(await read(waiting)).toMatchObject({ routineRunId, errorCode: 'paused_budget' });
  });

  it('works for the routine of the issue that it starts with', async () => {
    const { companyId, agentId, issue, wake, cap, take, read, runner } = await begin();
    const routine = await harness.build.routine({ companyId, assigneeAgentId: agentId });
    const first = await issue();
    const waiting = await wake(first);
    await harness.api.post(`/api/routines/${routine.id}/run`).send({}).expect(202);
    await harness.drain();
    await cap('routine', routine.id);
    const started = await take();
    expect(started.runId).toBe(waiting);
    expect(await read(waiting)).toMatchObject({ issueId: first, routineRunId: null });
    const { body } = await runner.reserve(started, newId(), 101).expect(200);
    expect(body.outcome).toBe('reserved');
  });

  it('starts with the wakes of other work if the cap of a retried run is spent', async () => {
    const { issue, wake, cap, spend, take, wakesOf, read, runner, fail, retry } = await begin();
    const [first, other] = [await issue(), await issue()];
    await wake(first);
    const failed = await take();
    await cap('run', failed.runId);
    await fail(failed);
    const waiting = await retry(failed.runId);
    await wake(other);
    await spend(100, { runId: failed.runId });
    const started = await take();
    expect(await wakesOf(started.runId)).toEqual([other]);
    expect(await wakesOf(waiting)).toEqual([first]);
    expect(await read(waiting)).toMatchObject({
      errorCode: 'paused_budget',
      retryOfRunId: failed.runId,
    });
    const { body } = await runner.reserve(started, newId(), 1_000).expect(200);
    expect(body.outcome).toBe('reserved');
  });

  it('reserves a model call only if it fits into the cap of every run that it retries', async () => {
    const { issue, wake, cap, spend, take, runner, fail, retry } = await begin();
    const runs: RunAssignment[] = [];
    for (const _ of [1, 2]) {
      await wake(await issue());
      const run = await take();
      await fail(run);
      runs.push(run);
    }
    await wake(await issue());
    for (const { runId } of runs) {
      await cap('run', runId);
      await spend(60, { runId });
      await retry(runId);
    }
    const started = await take();
    const reserve = async (cents: number) =>
      (await runner.reserve(started, newId(), cents).expect(200)).body;
    expect(await reserve(41)).toMatchObject({ outcome: 'refused', code: 'run_cap' });
    expect(await reserve(40)).toMatchObject({ outcome: 'reserved' });
    expect(await reserve(1)).toMatchObject({ outcome: 'waits' });
  });

  it('stays paused while its cap is exceeded, even if the refused call was free', async () => {
    const { issue, wake, cap, change, spend, take, check, runner, fail } = await begin();
    const issueId = await issue();
    await wake(issueId);
    const { id } = await cap('issue', issueId, 200);
    const lost = await take();
    await runner.reserve(lost, newId(), 60).expect(200);
    await query(
      `UPDATE reservation SET expires_at = now() - interval '1 ms' WHERE run_id = $1`,
      lost.runId,
    );
    await sweepReservations(harness.context);
    await fail(lost);
    await wake(issueId);
    const run = await take();
    await spend(45, { issueId });
    await change(id, 100);
    expect((await runner.reserve(run, newId(), 0).expect(200)).body.outcome).toBe('refused');
    await runner.end(run, { status: 'paused', exitCode: 1, error: 'no room' }).expect(204);
    expect(await check()).toBe(0);
    await change(id, 200);
    expect(await check()).toBe(1);
  });

  it('leaves no pause behind after a person has retried it', async () => {
    const { agentId, issue, wake, cap, spend, take, check, retry, change } = await begin();
    const issueId = await issue();
    const waiting = await wake(issueId);
    const { id } = await cap('issue', issueId);
    await spend(100, { issueId });
    expect(await take()).toBeUndefined();
    await change(id, 200);
    await retry(waiting);
    const started = await take();
    expect(started.runId).not.toBe(waiting);
    expect(await check()).toBe(0);
    const { rows } = await query(
      'SELECT FROM budget_pause p JOIN heartbeat_run r ON r.id = p.run_id WHERE r.agent_id = $1',
      agentId,
    );
    expect(rows).toEqual([]);
  });

  it.each([
    ['continues for', 'mention', 1],
    ['ends without a retry for', 'assignment', 0],
  ])('%s a paused %s of a done issue', async (_outcome, source, count) => {
    const { agentId, issue, wake, cap, change, spend, take, check, read } = await begin();
    const issueId = await issue();
    const waiting = await wake(issueId);
    const { id } = await cap('issue', issueId);
    await spend(100, { issueId });
    expect(await take()).toBeUndefined();
    expect((await read(waiting)).errorCode).toBe('paused_budget');
    await query(
      `UPDATE heartbeat_run SET wake_reasons = jsonb_set(wake_reasons, '{0,source}', to_jsonb($2::text)) WHERE id = $1`,
      ...[waiting, source],
    );
    await harness.api.post(`/api/issues/${issueId}/complete`).send({}).expect(200);
    await change(id, 101);
    expect(await check()).toBe(count);
    const { rows } = await query(
      'SELECT FROM budget_pause p JOIN heartbeat_run r ON r.id = p.run_id WHERE r.agent_id = $1',
      agentId,
    );
    expect(rows).toEqual([]);
  });

  it('reads the caps of 500 wakes in one pass', async () => {
    const { companyId, agentId, issue, wake, cap } = await begin();
    const waiting = await wake(await issue());
    await query(
      `WITH made AS (
         INSERT INTO issue (id, company_id, issue_number, identifier, title, status, project_id)
         SELECT gen_random_uuid(), $1, 1000 + n, 'X-' || n, 'x', 'todo', NULL FROM generate_series(1, 500) n
         RETURNING id, issue_number
       ), capped AS (
         INSERT INTO spend_cap (id, company_id, scope, scope_id, period, cents)
         SELECT gen_random_uuid(), $1, 'issue', id, 'day', 100 FROM made
       ), spent AS (
         INSERT INTO cost_scope_day (company_id, scope, scope_id, day, agent_id, cost_cents)
         SELECT $1, 'issue', id, (now() AT TIME ZONE 'UTC')::date, $2, 100 FROM made WHERE issue_number = 1200
       )
       UPDATE heartbeat_run SET wake_reasons = (SELECT jsonb_agg(jsonb_build_object('source', 'manual',
         'reason', NULL, 'issueId', id, 'commentId', NULL, 'payload', NULL, 'at', now()) ORDER BY issue_number) FROM made)
       WHERE id = $3`,
      ...[companyId, agentId, waiting],
    );
    await cap('agent', agentId);
    await cap('company', companyId);
    const { rows } = await query('SELECT * FROM capped_wakes($1)', waiting);
    expect(rows).toEqual([{ place: '200', code: 'issue_cap' }]);
    const explained = await query(
      'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM capped_wakes($1)',
      waiting,
    );
    const [{ Plan: top }] = explained.rows[0]['QUERY PLAN'];
    expect(top['Shared Hit Blocks'] + top['Shared Read Blocks']).toBeLessThan(MOST_PAGES);
  });
});
