import { newId } from '@switchyard/db';
import {
  type RunAssignment,
  SPEND_CAP_PERIODS,
  SPEND_CAP_SCOPES,
  type SpendCapPeriod,
  type SpendCapScope,
} from '@switchyard/types';
import { everything } from '../../../../test/everything';
import { useHarness } from '../../../../test/harness';
import { runnerClient, WITH_RUNNERS } from '../../../../test/runner-client';
import { continuePausedRuns } from '../../../state/costs/continue-paused-runs';
import { sweepReservations } from '../../../state/costs/sweep-reservations';

const DAYS_BEFORE = { day: 1, week: 7, month: 31, total: 366 } as const;

describe('spending caps', () => {
  const harness = useHarness({ config: WITH_RUNNERS });
  const query = (sql: string, ...values: unknown[]) => harness.context.db.pool.query(sql, values);
  const path = (companyId: string) => `/api/companies/${companyId}/spend-caps`;

  const begin = async () => {
    const { api, build } = harness;
    const adapterConfig = { command: 'true', runnerLabels: ['own'] };
    const agent = await build.agent({ adapterType: 'process', adapterConfig });
    const { companyId } = agent;
    const routine = await build.routine({ companyId, assigneeAgentId: agent.id });
    const { projectId } = routine;
    const { body } = await api
      .post(`/api/companies/${companyId}/runners`)
      .send({ name: 'own', labels: ['own'] })
      .expect(201);
    const runner = runnerClient(harness, { token: body.token, labels: ['own'] });
    const take = async () => ((await runner.take()) as RunAssignment[])[0] as RunAssignment;
    await api.post(`/api/routines/${routine.id}/run`).send({}).expect(202);
    const run = await take();
    const { body: shown } = await api.get(`/api/heartbeat-runs/${run.runId}`).expect(200);
    const issueId = shown.issueId as string;
    const ids: Record<SpendCapScope, string> = {
      run: run.runId,
      issue: issueId,
      routine: routine.id,
      project: projectId,
      agent: agent.id,
      company: companyId,
    };
    const create = (scope: SpendCapScope, period: SpendCapPeriod, cents: number) =>
      api.post(path(companyId)).send({ scope, scopeId: ids[scope], period, cents });
    const cap = async (scope: SpendCapScope, period: SpendCapPeriod, cents: number) =>
      (await create(scope, period, cents).expect(201)).body;
    const change = (id: string, cents: number) =>
      api.patch(`${path(companyId)}/${id}`).send({ cents });
    const remove = (id: string) => api.delete(`${path(companyId)}/${id}`).expect(204);
    const reserveFor = async (of: RunAssignment, cents: number | null, id = newId()) => {
      const answer = await runner.reserve(of, id, cents).expect(200);
      return { id, ...answer.body };
    };
    const reserve = (cents: number | null) => reserveFor(run, cents);
    const settle = (id: string, cents: number | null, of = run) =>
      runner.settle(of, id, cents).expect(204);
    const spend = async (cents: number, of = run) =>
      settle((await reserveFor(of, cents)).id, cents, of);
    const check = async () => {
      await query(`UPDATE budget_pause SET checked_at = now() - interval '1 hour'`);
      return continuePausedRuns(harness.context);
    };
    const pause = () =>
      runner.end(run, { status: 'paused', exitCode: 1, error: 'no room' }).expect(204);
    const list = async (filter = '') =>
      (await api.get(`${path(companyId)}${filter}`).expect(200)).body;
    const read = async (runId: string) =>
      (await api.get(`/api/heartbeat-runs/${runId}`).expect(200)).body;
    const age = async (days: number) => {
      for (const [table, set] of [
        ['agent_month', `month = date_trunc('month', now() - $2::int * interval '1 day')::date`],
        [
          'cost_event',
          `created_at = created_at - $2::int * interval '1 day', occurred_at = occurred_at - $2::int * interval '1 day'`,
        ],
        ['reservation', `created_at = created_at - $2::int * interval '1 day'`],
        ['heartbeat_run', `created_at = created_at - $2::int * interval '1 day'`],
      ]) {
        await query(`UPDATE ${table} SET ${set} WHERE company_id = $1`, companyId, days);
      }
    };
    return {
      ...{ agent, companyId, ids, runner, run, take, create, cap, change, remove, reserve },
      ...{ reserveFor, settle, spend, check, pause, list, read, age, issueId },
    };
  };

  const EACH = SPEND_CAP_SCOPES.flatMap((scope) =>
    SPEND_CAP_PERIODS.map((period) => [scope, period] as const),
  );

  it.each(EACH)('limit the calls of one %s per %s', async (scope, period) => {
    const { companyId, ids, cap, reserve, settle, spend, list, age } = await begin();
    const made = await cap(scope, period, 100);
    expect(made).toEqual({
      id: expect.any(String),
      companyId,
      scope,
      scopeId: ids[scope],
      period,
      cents: 100,
      spentCents: 0,
      reservedCents: 0,
      utilizationPercent: 0,
      alert: 'none',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    await spend(30);
    const open = await reserve(50);
    expect(open).toMatchObject({ outcome: 'reserved', code: null });
    expect((await reserve(21)).outcome).toBe('waits');
    const used = { spentCents: 30, reservedCents: 50, utilizationPercent: 30 };
    expect(await list()).toEqual([{ ...made, ...used }]);
    await settle(open.id, null);
    const refused = await reserve(71);
    const when = period === 'total' ? 'in total' : `per ${period}`;
    expect(refused).toMatchObject({ outcome: 'refused', code: `${scope}_cap` });
    expect(refused.message).toContain(`${scope}'s spending cap of 100 cents ${when} has 70 cents`);
    await spend(70);
    expect((await reserve(0)).message).toContain('is spent');
    await age(DAYS_BEFORE[period]);
    const later = await reserve(100);
    expect(later.outcome).toBe(period === 'total' ? 'refused' : 'reserved');
    if (period !== 'total') await settle(later.id, 40);
    const spentCents = period === 'total' ? 100 : 40;
    expect(await list()).toMatchObject([{ spentCents, reservedCents: 0 }]);
  });

  it('count an expired reservation in the period in which it is stored', async () => {
    const { cap, reserve, age } = await begin();
    for (const scope of ['run', 'issue', 'routine', 'project'] as const) {
      await cap(scope, 'week', 100);
    }
    const { id } = await reserve(90);
    await query(`UPDATE reservation SET expires_at = now() - interval '1 ms' WHERE id = $1`, id);
    expect((await reserve(20)).outcome).toBe('waits');
    await sweepReservations(harness.context);
    expect((await reserve(20)).outcome).toBe('refused');
    await age(7);
    expect((await reserve(20)).outcome).toBe('reserved');
  });

  it('warn from 80 % of their cents on', async () => {
    const { cap, spend, list } = await begin();
    await cap('issue', 'total', 10);
    const alerts: [number, string][] = [];
    for (const cents of [7, 1, 2]) {
      await spend(cents);
      const [{ utilizationPercent, alert }] = await list();
      alerts.push([utilizationPercent, alert]);
    }
    expect(alerts).toEqual([
      [70, 'none'],
      [80, 'soft'],
      [100, 'hard'],
    ]);
  });

  it('refuse a call, and return the code of the cap that has the smallest remaining amount', async () => {
    const { cap, reserve } = await begin();
    await cap('company', 'month', 90);
    await cap('project', 'day', 50);
    await cap('issue', 'total', 70);
    expect((await reserve(51)).code).toBe('project_cap');
    expect((await reserve(1_000)).code).toBe('project_cap');
    expect((await reserve(50)).outcome).toBe('reserved');
  });

  it('do not limit other runs, issues, routines, projects, agents and companies', async () => {
    const { companyId, ids, reserve, spend } = await begin();
    const other = await begin();
    for (const scope of SPEND_CAP_SCOPES) await other.cap(scope, 'total', 1);
    const colleague = await harness.build.agent({ companyId });
    const routine = await harness.build.routine({ companyId, assigneeAgentId: colleague.id });
    const issue = await harness.build.issue({ companyId });
    for (const [scope, scopeId] of [
      ['agent', colleague.id],
      ['routine', routine.id],
      ['project', routine.projectId],
      ['issue', issue.id],
    ]) {
      const body = { scope, scopeId, period: 'total', cents: 1 };
      await harness.api.post(path(companyId)).send(body).expect(201);
    }
    await spend(500);
    expect((await reserve(500)).outcome).toBe('reserved');
    expect(Object.values(ids)).not.toContain(colleague.id);
  });

  it('limit a run together with its retries', async () => {
    const { cap, run, spend, reserve, pause, change, check, take, reserveFor } = await begin();
    const { id } = await cap('run', 'total', 100);
    await spend(60);
    expect((await reserve(50)).code).toBe('run_cap');
    await pause();
    expect(await check()).toBe(0);
    await change(id, 110).expect(200);
    expect(await check()).toBe(1);
    const next = await take();
    expect(next.runId).not.toBe(run.runId);
    expect((await reserveFor(next, 51)).code).toBe('run_cap');
    expect((await reserveFor(next, 50)).outcome).toBe('reserved');
  });

  it('prevent 16 concurrent callers from exceeding the smallest cap', async () => {
    const { companyId, cap, reserve, settle } = await begin();
    await cap('company', 'total', 1_000);
    await cap('project', 'day', 100);
    await cap('issue', 'week', 300);
    const totals: number[] = [];
    const held = async () => {
      const { rows } = await query(
        `SELECT (SELECT coalesce(sum(cost_cents), 0)::int FROM cost_event WHERE company_id = $1) AS spent,
          (SELECT coalesce(sum(cents), 0)::int FROM reservation WHERE company_id = $1) AS reserved`,
        companyId,
      );
      return rows[0];
    };
    const call = async (caller: number) => {
      for (let n = 1; n <= 4; n++) {
        const most = ((caller * 7 + n * 11) % 30) + 1;
        const { id, outcome } = await reserve(most);
        const { spent, reserved } = await held();
        totals.push(spent + reserved);
        if (outcome === 'reserved')
          await settle(id, (caller + n) % 5 === 0 ? null : (most + 1) >> 1);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, caller) => call(caller)));
    expect(Math.max(...totals)).toBeLessThanOrEqual(100);
    const { spent, reserved } = await held();
    expect(spent).toBeGreaterThan(50);
    expect(reserved).toBe(0);
  });

  it('leave the reserved cents of a call visible in the cost reports', async () => {
    const { companyId, agent, spend, reserve, settle } = await begin();
    await spend(30);
    const { id } = await reserve(50);
    const costs = async (report: string) =>
      (await harness.api.get(`/api/companies/${companyId}/costs/${report}`).expect(200)).body;
    expect(await costs('summary')).toMatchObject({ spendCents: 30, reservedCents: 50 });
    expect(await costs('by-agent')).toMatchObject([
      { agentId: agent.id, costCents: 30, reservedCents: 50 },
    ]);
    await settle(id, 20);
    expect(await costs('summary')).toMatchObject({ spendCents: 50, reservedCents: 0 });
    expect(await costs('by-agent')).toMatchObject([{ costCents: 50, reservedCents: 0 }]);
  });

  it('refuse models without a price', async () => {
    const { cap, reserve } = await begin();
    expect((await reserve(null)).outcome).toBe('reserved');
    await cap('routine', 'day', 100);
    expect(await reserve(null)).toMatchObject({ outcome: 'refused', code: 'unpriced_model' });
  });

  it.each([
    ['raised', ({ change }: Begun, id: string) => change(id, 200).expect(200)],
    ['deleted', ({ remove }: Begun, id: string) => remove(id)],
    ['of an earlier period', ({ age }: Begun) => age(7)],
  ])('let a paused run continue when they are %s', async (_when, free) => {
    const begun = await begin();
    const { cap, reserve, pause, check, take, read, run } = begun;
    const { id } = await cap('project', 'week', 100);
    await begun.spend(60);
    expect((await reserve(90)).code).toBe('project_cap');
    await pause();
    expect(await read(run.runId)).toMatchObject({ errorCode: 'paused_budget', error: 'no room' });
    expect(await check()).toBe(0);
    await free(begun, id);
    expect(await check()).toBe(1);
    expect(await check()).toBe(0);
    const next = await take();
    expect(await read(next.runId)).toMatchObject({ source: 'retry', retryOfRunId: run.runId });
  });

  describe('when spent', () => {
    const OF_WAKES = SPEND_CAP_SCOPES.filter((scope) => scope !== 'run');

    const failedWith = async (scope: SpendCapScope) => {
      const begun = await begin();
      await begun.cap(scope, 'month', 100);
      await begun.spend(100);
      const failed = { status: 'failed', exitCode: 1, errorCode: 'x', error: 'x' } as const;
      await begun.runner.end(begun.run, { ...failed, transient: false }).expect(204);
      return begun;
    };

    it.each(OF_WAKES)('refuse a retry if the cap is on the %s', async (scope) => {
      const { run } = await failedWith(scope);
      const retried = await harness.api.post(`/api/heartbeat-runs/${run.runId}/retry`).expect(409);
      expect(retried.body).toMatchObject({
        code: 'not_invokable',
        error: expect.stringContaining(`the ${scope} has reached a spending cap`),
        details: { reason: `${scope}_cap` },
      });
    });

    it.each(OF_WAKES)('refuse a checkout if the cap is on the %s', async (scope) => {
      const { agent, issueId } = await failedWith(scope);
      const wanted = { agentId: agent.id, expectedStatuses: ['todo', 'in_progress'] };
      const path = `/api/issues/${issueId}/checkout`;
      const { body } = await harness.api.post(path).send(wanted).expect(409);
      expect(body).toMatchObject({ code: 'not_invokable', details: { reason: `${scope}_cap` } });
    });

    it('refuse to invoke the agent only if the cap is on the agent or the company', async () => {
      const { agent, cap, spend } = await begin();
      const invoke = () => harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`).send({});
      await cap('project', 'month', 100);
      await cap('agent', 'week', 100);
      await spend(100);
      const { body } = await invoke().expect(409);
      expect(body).toMatchObject({ code: 'not_invokable', details: { reason: 'agent_cap' } });
      expect(body.error).toContain('the agent has reached a spending cap');
    });

    it('end a waiting run as paused_budget before it starts, and continue it after the cap is raised', async () => {
      const { agent, issueId, cap, change, spend, check, take, read, runner, run } = await begin();
      const { id } = await cap('project', 'day', 100);
      const { id: waiting } = await harness.build.queuedRun(agent.id, { issueId });
      await spend(100);
      await runner.end(run).expect(204);
      expect(await take()).toBeUndefined();
      expect(await read(waiting)).toMatchObject({
        status: 'cancelled',
        errorCode: 'paused_budget',
        error: expect.stringContaining('its project has reached a spending cap'),
        startedAt: null,
      });
      expect(await take()).toBeUndefined();
      expect(await check()).toBe(0);
      await change(id, 101).expect(200);
      expect(await check()).toBe(1);
      const next = await take();
      expect(await read(next.runId)).toMatchObject({ retryOfRunId: waiting, issueId });
    });
  });

  describe('through the API', () => {
    it('can be changed and deleted, with each change recorded as activity', async () => {
      const { companyId, ids, cap, change, remove, list } = await begin();
      const made = await cap('project', 'week', 100);
      await cap('agent', 'week', 100);
      expect(await list(`?scope=project&scopeId=${ids.project}`)).toEqual([made]);
      const { body } = await change(made.id, 7).expect(200);
      expect(body).toMatchObject({ ...made, cents: 7, updatedAt: expect.any(String) });
      const before = await everything(harness);
      await change(made.id, 7).expect(200);
      expect(await everything(harness)).toEqual(before);
      await remove(made.id);
      await harness.api.delete(`${path(companyId)}/${made.id}`).expect(404);
      await change(made.id, 8).expect(404);
      const { rows } = await query(
        `SELECT action, details FROM activity WHERE entity_id = $1 ORDER BY sequence`,
        made.id,
      );
      const details = { scope: 'project', scopeId: ids.project, period: 'week' };
      expect(rows).toEqual([
        { action: 'spend_cap.created', details: { ...details, cents: 100 } },
        { action: 'spend_cap.updated', details: { ...details, cents: 7, from: 100 } },
        { action: 'spend_cap.deleted', details: { ...details, cents: 7 } },
      ]);
    });

    it('exist at most once per scope and period, even after concurrent requests', async () => {
      const { create, list } = await begin();
      const answers = await Promise.all([1, 2, 3, 4].map((n) => create('issue', 'day', n)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
      const refused = answers.find(({ status }) => status === 409)?.body;
      expect(refused).toMatchObject({ code: 'conflict', details: { field: 'period' } });
      await create('issue', 'week', 5).expect(201);
      expect(await list()).toHaveLength(2);
    });

    it.each<[string, object]>([
      ['scope', { scope: 'goal' }],
      ['scope', { scope: undefined }],
      ['scopeId', { scopeId: 'x' }],
      ['scopeId', { scopeId: undefined }],
      ['period', { period: 'year' }],
      ['cents', { cents: 0 }],
      ['cents', { cents: -1 }],
      ['cents', { cents: 0.5 }],
      ['cents', { cents: '5' }],
      ['cents', { cents: 1e15 }],
      ['more', { more: 1 }],
    ])('cause a 400 that names %p for the body %j', async (field, change) => {
      const { id: companyId } = await harness.build.company();
      const valid = { scope: 'company', scopeId: companyId, period: 'day', cents: 1 };
      const before = await everything(harness);
      const { body } = await harness.api
        .post(path(companyId))
        .send({ ...valid, ...change })
        .expect(400);
      expect(JSON.stringify(body.details)).toContain(field);
      expect(await everything(harness)).toEqual(before);
    });

    it('require as `scopeId` the id of an existing row of the company', async () => {
      const { companyId, ids } = await begin();
      const { id: foreign } = await harness.build.company();
      for (const scope of SPEND_CAP_SCOPES) {
        const body = { scope, period: 'day', cents: 1 };
        const unknown = await harness.api
          .post(path(companyId))
          .send({ ...body, scopeId: newId() })
          .expect(422);
        expect(unknown.body).toMatchObject({
          code: 'unknown_reference',
          details: { field: 'scopeId' },
        });
        const crossing = await harness.api
          .post(path(foreign))
          .send({ ...body, scopeId: ids[scope] })
          .expect(403);
        expect(crossing.body.code).toBe('cross_company');
      }
    });

    it('can be read by agents, and written only by the board', async () => {
      const { companyId, agent, cap } = await begin();
      const made = await cap('project', 'day', 100);
      const authorization = await harness.build.apiKey(agent.id);
      const as = (verb: 'get' | 'post' | 'patch' | 'delete', where: string) =>
        harness.api[verb](where).set('Authorization', authorization);
      const { body } = await as('get', path(companyId)).expect(200);
      expect(body).toEqual([made]);
      const one = `${path(companyId)}/${made.id}`;
      const wanted = { scope: 'agent', scopeId: agent.id, period: 'day', cents: 9 };
      for (const refused of [
        await as('post', path(companyId)).send(wanted),
        await as('patch', one).send({ cents: 1_000 }),
        await as('delete', one),
      ]) {
        expect([refused.status, refused.body.code]).toEqual([403, 'board_only']);
      }
    });
  });

  type Begun = Awaited<ReturnType<typeof begin>>;
});
