import { newId } from '@switchyard/db';
import type { CreateIssueBody, DashboardView } from '@switchyard/types';
import { dashboard } from '@switchyard/types';
import { useHarness } from '../../../test/harness';

const INSERT_RUN = `
  INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, created_at, started_at, finished_at)
  VALUES ($1, $2, $3, $4, 'manual',
    (date_trunc('day', now() AT TIME ZONE 'UTC') + $5::interval) AT TIME ZONE 'UTC', now(),
    CASE WHEN $4 IN ('queued', 'running') THEN NULL ELSE now() END)`;

describe('GET /api/companies/{companyId}/dashboard', () => {
  const harness = useHarness();

  const read = async (companyId: string): Promise<DashboardView> => {
    const { body } = await harness.api.get(`/api/companies/${companyId}/dashboard`).expect(200);
    return dashboard.strict().parse(body);
  };

  it('returns 0 for every count and for each of the fourteen days if the company is empty', async () => {
    const company = await harness.build.company();
    const answer = await read(company.id);
    expect(answer).toMatchObject({
      companyId: company.id,
      agents: { total: 0, byStatus: { idle: 0, pending_approval: 0 } },
      issues: { total: 0, open: 0, stale: 0, byStatus: { backlog: 0, cancelled: 0 } },
      pendingApprovals: 0,
      spend: {
        spendCents: 0,
        budgetCents: 0,
        unlimited: true,
        utilizationPercent: 0,
        alert: 'none',
      },
      runs: { running: 0, queued: 0 },
      storage: { usedBytes: 0, limitBytes: 10_737_418_240 },
    });
    const { days } = answer.runs;
    expect(days).toHaveLength(14);
    const today = answer.generatedAt.slice(0, 10);
    expect(days.at(-1)?.date).toBe(today);
    expect(Date.parse(today) - Date.parse(days[0]?.date ?? '')).toBe(13 * 86_400_000);
    expect(days.every((day) => day.total === 0 && day.byStatus.failed === 0)).toBe(true);
    expect(answer.spend.month).toBe(today.slice(0, 7));
  });

  it('counts agents and issues by status, and counts open and stale issues', async () => {
    const { build, api, context } = harness;
    const { id: companyId } = await build.company();
    const agents = [await build.agent({ companyId }), await build.agent({ companyId })];
    await api.post(`/api/agents/${agents[0]?.id}/pause`).expect(200);
    const statuses: CreateIssueBody['status'][] = ['todo', 'todo', 'blocked', 'done', 'cancelled'];
    for (const status of statuses) await build.issue({ companyId, status });
    const run = await build.liveRun(agents[1]);
    for (let at = 0; at < 2; at++) {
      const issue = await build.issue({ companyId, status: 'todo' });
      await api
        .post(`/api/issues/${issue.id}/checkout`)
        .set('Authorization', run.authorization)
        .send({ agentId: run.agent.id, expectedStatuses: ['todo'] })
        .expect(200);
      if (at === 1) continue;
      await context.db.pool.query(
        `UPDATE issue SET updated_at = now() - interval '25 hours' WHERE id = $1`,
        [issue.id],
      );
    }
    await build.issue({ status: 'blocked' });

    const { agents: agentCounts, issues } = await read(companyId);
    expect(agentCounts).toMatchObject({ total: 2, byStatus: { idle: 1, paused: 1 } });
    expect(issues).toMatchObject({ total: 7, open: 5, stale: 1 });
    expect(issues.byStatus).toMatchObject({
      backlog: 0,
      todo: 2,
      in_progress: 2,
      blocked: 1,
      done: 1,
      cancelled: 1,
    });
  });

  it('counts runs by the UTC day of their creation, including the first instant of a day', async () => {
    const { build, context } = harness;
    const agent = await build.agent();
    const { companyId } = agent;
    const add = (status: string, offset: string) =>
      context.db.pool.query(INSERT_RUN, [newId(), companyId, agent.id, status, offset]);
    await add('succeeded', '-13 days');
    await add('failed', '-13 days -1 millisecond');
    await add('failed', '-1 millisecond');
    await add('timed_out', '-1 days');
    await add('succeeded', '0');
    await add('cancelled', '0');
    await add('running', '0');
    await add('queued', '-20 days');

    const { runs } = await read(companyId);
    expect([runs.running, runs.queued]).toEqual([1, 1]);
    const byDay = runs.days.map((day) => day.total);
    expect(byDay).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3]);
    expect(runs.days[0]?.byStatus.succeeded).toBe(1);
    expect(runs.days[12]?.byStatus).toMatchObject({ failed: 1, timed_out: 1, succeeded: 0 });
    expect(runs.days[13]?.byStatus).toMatchObject({ succeeded: 1, cancelled: 1, running: 1 });
  });

  it('counts only approvals that wait for the board', async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) {
      const path = `/api/companies/${companyId}/approvals`;
      const answer = await api.post(path).send({ type: 'approve_ceo_strategy' }).expect(201);
      ids.push(answer.body.id);
    }
    expect((await read(companyId)).pendingApprovals).toBe(3);
    await api.post(`/api/approvals/${ids[0]}/approve`).expect(200);
    await api.post(`/api/approvals/${ids[1]}/request-revision`).expect(200);
    expect((await read(companyId)).pendingApprovals).toBe(1);
  });

  it('returns the spend of the current month and the budget of the company', async () => {
    const { build, context } = harness;
    const { id: companyId } = await build.company({ budgetMonthlyCents: 1_000 });
    const agents = [await build.agent({ companyId }), await build.agent({ companyId })];
    for (const { id } of agents) {
      await context.db.pool.query(
        `INSERT INTO agent_month (company_id, agent_id, month, cost_cents) VALUES
          ($1, $2, date_trunc('month', now() AT TIME ZONE 'UTC'), 425),
          ($1, $2, date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month', 999)`,
        [companyId, id],
      );
    }
    expect((await read(companyId)).spend).toMatchObject({
      spendCents: 850,
      budgetCents: 1_000,
      unlimited: false,
      utilizationPercent: 85,
      alert: 'soft',
    });
  });

  it('executes only one SQL statement', async () => {
    const { build, context } = harness;
    const { id } = await build.company();
    const { pool } = context.db;
    const query = jest.spyOn(pool, 'query');
    await read(id);
    const names = query.mock.calls.map(([first]) => (first as { name?: string }).name);
    query.mockRestore();
    expect(names.filter((name) => !name?.startsWith('owner-'))).toEqual(['dashboard']);
  });

  it('returns 200 to an agent of the company, 403 to other agents, and 404 or 400 for invalid requests', async () => {
    const { build, api } = harness;
    const run = await build.liveRun();
    const path = `/api/companies/${run.agent.companyId}/dashboard`;
    await api.get(path).set('Authorization', run.authorization).expect(200);
    const foreign = await build.liveRun();
    const refused = await api.get(path).set('Authorization', foreign.authorization);
    expect([refused.status, refused.body.code]).toEqual([403, 'cross_company']);
    await api.get(`/api/companies/${newId()}/dashboard`).expect(404);
    await api.get('/api/companies/nonsense/dashboard').expect(404);
    const unknown = await api.get(`${path}?days=30`).expect(400);
    expect(unknown.body.details[0].path).toEqual(['days']);
  });
});
