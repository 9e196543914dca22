import { until } from '@switchyard/testing';
import type { ActivityView, AgentDetailView, HeartbeatRunView } from '@switchyard/types';
import { everything } from '../../../test/everything';
import { useHarness } from '../../../test/harness';
import { startWorkers } from '../../../test/runner';
import { SUCCEEDED, untilAborted } from '../../../test/scripted-adapter';
import { sweepBudgets } from '../../features/costs/sweep-budgets';
import { claimRun } from '../runs/claim-run';

const COST = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };

describe('the monthly budget of an agent', () => {
  const harness = useHarness();

  const spend = ({ id, companyId }: AgentDetailView, costCents: number) =>
    harness.api
      .post(`/api/companies/${companyId}/cost-events`)
      .send({ ...COST, agentId: id, costCents })
      .expect(201);
  const agentNow = async ({ id }: { id: string }) =>
    (await harness.api.get(`/api/agents/${id}`)).body as AgentDetailView;
  const setBudget = (agent: { id: string }, budgetMonthlyCents: number) =>
    harness.api
      .patch(`/api/agents/${agent.id}`)
      .send({ budgetMonthlyCents, confirmUnlimited: true })
      .expect(200);
  const runNow = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`)).body as HeartbeatRunView;
  const invoke = (agent: { id: string }) =>
    harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`).send({});
  const said = async (agent: { id: string; companyId: string }) => {
    const path = `/api/companies/${agent.companyId}/activity?entityId=${agent.id}`;
    const { body } = await harness.api.get(path).expect(200);
    return (body as ActivityView[])
      .map((row) => row.action)
      .filter((action) => /^(budget\.|agent\.(paused|resumed))/.test(action))
      .reverse();
  };
  const turnMonth = ({ id }: { id: string }) =>
    harness.context.db.pool.query(
      `UPDATE agent_month SET month = month - interval '1 month' WHERE agent_id = $1`,
      [id],
    );

  it('causes one alert at 80 percent, and at 100 percent pauses the agent and stops its runs', async () => {
    const { build, scripted, context } = harness;
    const agent = await build.agent({ budgetMonthlyCents: 100 });
    scripted.on(agent.id, untilAborted);
    const workers = startWorkers(context);
    try {
      const running = (await invoke(agent).expect(202)).body as HeartbeatRunView;
      await until('it to start', async () => (await runNow(running.id)).status === 'running');
      const waiting = (await invoke(agent).expect(202)).body as HeartbeatRunView;
      await spend(agent, 79);
      expect(await said(agent)).toEqual([]);
      await spend(agent, 1);
      await spend(agent, 19);
      expect(await said(agent)).toEqual(['budget.soft_alert']);
      expect((await agentNow(agent)).status).toBe('running');
      await spend(agent, 1);
      expect(await agentNow(agent)).toMatchObject({ status: 'paused', pauseReason: 'budget' });
      const ended = { status: 'cancelled', errorCode: 'agent_budget' };
      expect(await runNow(waiting.id)).toMatchObject(ended);
      await until('it to stop', async () => (await runNow(running.id)).status === 'cancelled');
      expect(await runNow(running.id)).toMatchObject(ended);
      await spend(agent, 500);
      const all = ['budget.soft_alert', 'budget.hard_stop', 'agent.paused'];
      expect(await said(agent)).toEqual(all);
      const alerts = await harness.db.activity.findMany({
        where: { entityId: agent.id, action: { startsWith: 'budget.' } },
        orderBy: { sequence: 'asc' },
      });
      const month = new Date().toISOString().slice(0, 7);
      expect(alerts.map((row) => row.details)).toEqual([
        { month, spendCents: 80, budgetCents: 100 },
        { month, spendCents: 100, budgetCents: 100 },
      ]);
    } finally {
      await workers.close({ handOverAfterMs: 0 });
    }
  });

  it('causes both alerts for one cost event that passes both limits, and stops the reporting run', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    harness.scripted.on(agent.id, async (run) => {
      run.onUsage({ ...COST, costCents: 250 });
      return untilAborted(run);
    });
    const run = await harness.build.queuedRun(agent.id);
    await harness.drain();
    expect(await runNow(run.id)).toMatchObject({ status: 'cancelled', errorCode: 'agent_budget' });
    expect(await said(agent)).toEqual(['budget.soft_alert', 'budget.hard_stop', 'agent.paused']);
  });

  it('pauses the agent in the transaction of the cost event, so that both changes are stored or none', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await spend(agent, 99);
    await harness.asOwner(`
      CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE 'no pause'; END $$ LANGUAGE plpgsql;
      CREATE TRIGGER refuse BEFORE UPDATE ON agent FOR EACH ROW
        WHEN (NEW.pause_reason = 'budget') EXECUTE FUNCTION refuse()`);
    const before = await everything(harness);
    const path = `/api/companies/${agent.companyId}/cost-events`;
    await harness.api
      .post(path)
      .send({ ...COST, agentId: agent.id, costCents: 1 })
      .expect(500);
    expect(await everything(harness)).toEqual(before);
    await harness.asOwner('DROP TRIGGER refuse ON agent; DROP FUNCTION refuse()');
    await spend(agent, 1);
    expect((await agentNow(agent)).pauseReason).toBe('budget');
  });

  it('blocks new runs, resume and checkout while it is spent', async () => {
    const { api, build } = harness;
    const agent = await build.agent({ budgetMonthlyCents: 100 });
    const { companyId } = agent;
    const run = await build.liveRun(agent);
    const held = await build.issue({ companyId, status: 'todo' });
    const wanted = await build.issue({ companyId, status: 'todo' });
    const checkout = (issueId: string) =>
      api
        .post(`/api/issues/${issueId}/checkout`)
        .set('Authorization', run.authorization)
        .send({ agentId: agent.id, expectedStatuses: ['todo'] });
    await checkout(held.id).expect(200);
    await spend(agent, 100);
    const before = await everything(harness);
    const refused = await invoke(agent).expect(409);
    expect(refused.body).toMatchObject({
      code: 'not_invokable',
      details: { reason: 'agent_budget', retry: false },
    });
    const resumed = await api.post(`/api/agents/${agent.id}/resume`).expect(409);
    expect(resumed.body.details).toMatchObject({ reason: 'agent_budget' });
    const claimed = await checkout(wanted.id).expect(409);
    expect(claimed.body).toMatchObject({
      code: 'not_invokable',
      details: { issueId: wanted.id, status: 'todo', reason: 'agent_budget', retry: false },
    });
    expect(await everything(harness)).toEqual(before);
    await checkout(held.id).expect(200);
    const release = api.post(`/api/issues/${held.id}/release`);
    await release.set('Authorization', run.authorization).expect(200);
    const comment = { body: `@${agent.name.replaceAll(' ', '-')} please` };
    const { body } = await api.post(`/api/issues/${wanted.id}/comments`).send(comment).expect(201);
    expect(body.mentions).toMatchObject([{ outcome: 'skipped', reason: 'agent_budget' }]);
  });

  it('leaves a manual pause in place, and blocks resume until the budget is raised', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await harness.api.post(`/api/agents/${agent.id}/pause`).expect(200);
    await spend(agent, 100);
    expect((await agentNow(agent)).pauseReason).toBe('manual');
    expect(await said(agent)).toEqual(['agent.paused', 'budget.soft_alert', 'budget.hard_stop']);
    await harness.api.post(`/api/agents/${agent.id}/resume`).expect(409);
    await setBudget(agent, 1_000);
    expect((await agentNow(agent)).pauseReason).toBe('manual');
    await harness.api.post(`/api/agents/${agent.id}/resume`).expect(200);
    await invoke(agent).expect(202);
  });

  it.each([
    ['raised', 1_000],
    ['lifted', 0],
  ])('resumes the agent when the budget is %s', async (_how, budget) => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await spend(agent, 100);
    await setBudget(agent, 100);
    expect((await agentNow(agent)).status).toBe('paused');
    const { body } = await setBudget(agent, budget);
    expect(body).toMatchObject({ status: 'idle', pauseReason: null, pausedAt: null });
    expect((await said(agent)).at(-1)).toBe('agent.resumed');
    await invoke(agent).expect(202);
  });

  it('stops the agent again after a raise, but causes an alert at 80 percent only once per month', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await spend(agent, 100);
    await setBudget(agent, 1_000);
    await spend(agent, 750);
    await spend(agent, 149);
    expect((await agentNow(agent)).status).toBe('idle');
    await spend(agent, 1);
    expect((await agentNow(agent)).pauseReason).toBe('budget');
    const stop = ['budget.hard_stop', 'agent.paused'];
    expect(await said(agent)).toEqual(['budget.soft_alert', ...stop, 'agent.resumed', ...stop]);
  });

  it('pauses the agent immediately when the budget is lowered to or below the spend, even by a rollback', async () => {
    const { api, build } = harness;
    const agent = await build.agent({ budgetMonthlyCents: 100 });
    await setBudget(agent, 1_000);
    await spend(agent, 500);
    const waiting = await build.queuedRun(agent.id);
    const { body: revisions } = await api.get(`/api/agents/${agent.id}/config-revisions`);
    const first = revisions.at(-1).id;
    const path = `/api/agents/${agent.id}/config-revisions/${first}/rollback`;
    expect((await api.post(path).expect(200)).body.pauseReason).toBe('budget');
    expect((await runNow(waiting.id)).errorCode).toBe('agent_budget');
    await setBudget(agent, 600);
    expect((await agentNow(agent)).status).toBe('idle');
    expect((await setBudget(agent, 500)).body).toMatchObject({ pauseReason: 'budget' });
  });

  it('resumes the agent in a new month, at the next sweep or at an earlier wake', async () => {
    const swept = await harness.build.agent({ budgetMonthlyCents: 100 });
    const woken = await harness.build.agent({ budgetMonthlyCents: 100 });
    const manual = await harness.build.agent({ budgetMonthlyCents: 100 });
    await harness.api.post(`/api/agents/${manual.id}/pause`).expect(200);
    for (const agent of [swept, woken, manual]) await spend(agent, 100);
    await sweepBudgets(harness.context);
    for (const agent of [swept, woken]) {
      expect((await agentNow(agent)).pauseReason).toBe('budget');
      await turnMonth(agent);
    }
    await turnMonth(manual);
    await invoke(woken).expect(202);
    expect((await agentNow(woken)).status).toBe('idle');
    expect(await sweepBudgets(harness.context)).toBe(1);
    expect((await agentNow(swept)).status).toBe('idle');
    expect((await agentNow(manual)).pauseReason).toBe('manual');
    await spend(swept, 100);
    const all = ['budget.soft_alert', 'budget.hard_stop', 'agent.paused'];
    expect(await said(swept)).toEqual([...all, 'agent.resumed', ...all]);
  });

  it('sets SERVICE_BUDGET_ALERT in the next run after 80 percent is spent', async () => {
    const { build, scripted } = harness;
    const agent = await build.agent({ budgetMonthlyCents: 100 });
    const alerts: (string | undefined)[] = [];
    scripted.on(agent.id, (run) => {
      alerts.push(run.environment.SERVICE_BUDGET_ALERT);
      return SUCCEEDED;
    });
    for (const cents of [79, 1, 0]) {
      await spend(agent, cents);
      await build.queuedRun(agent.id);
      await harness.drain();
    }
    expect(alerts).toEqual([undefined, 'agent', 'agent']);
  });

  it('does not limit the spend if the budget is 0', async () => {
    const agent = await harness.build.agent();
    await spend(agent, 1_000_000_000);
    expect((await agentNow(agent)).status).toBe('idle');
    expect(await said(agent)).toEqual([]);
  });

  it('includes the spend of a terminated agent, and leaves the agent terminated', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    await harness.api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    await spend(agent, 200);
    expect(await agentNow(agent)).toMatchObject({ status: 'terminated', spentMonthlyCents: 200 });
  });

  it('cancels a waiting run that is claimed after the budget is spent, even if the agent was not paused', async () => {
    const agent = await harness.build.agent({ budgetMonthlyCents: 100 });
    const { id } = (await invoke(agent).expect(202)).body as HeartbeatRunView;
    await harness.context.db.pool.query(
      `INSERT INTO agent_month (agent_id, company_id, month, cost_cents)
       VALUES ($1, $2, date_trunc('month', now() AT TIME ZONE 'UTC'), 100)
       ON CONFLICT (agent_id, month) DO UPDATE SET cost_cents = 100`,
      [agent.id, agent.companyId],
    );
    const run = { id, companyId: agent.companyId, agentId: agent.id };
    expect(await claimRun(harness.context, run, 'worker')).toBeNull();
    expect(await runNow(id)).toMatchObject({ status: 'cancelled', errorCode: 'agent_budget' });
  });
});
