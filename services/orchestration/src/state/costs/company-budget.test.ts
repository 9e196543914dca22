import type { OpenDatabase } from '@switchyard/db';
import { until } from '@switchyard/testing';
import type { ActivityView, AgentDetailView, HeartbeatRunView } from '@switchyard/types';
import { useHarness } from '../../../test/harness';
import { startWorkers } from '../../../test/runner';
import { SUCCEEDED } from '../../../test/scripted-adapter';
import { inTransaction, systemCall } from '../../kernel/call';
import { claimRun } from '../runs/claim-run';

const COST = { provider: 'p', model: 'm', inputTokens: 1, outputTokens: 1 };

const LOCK_WAITS = `
  SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const CROSSED = `
  SELECT hard_stopped_at > $2::timestamptz AS "isLater" FROM company_month WHERE company_id = $1`;

describe('the monthly budget of a company', () => {
  const harness = useHarness();

  const staff = async (budgetMonthlyCents: number, count: number) => {
    const company = await harness.build.company({ budgetMonthlyCents });
    const agents: AgentDetailView[] = [];
    for (let n = 0; n < count; n++) {
      agents.push(await harness.build.agent({ companyId: company.id }));
    }
    return { companyId: company.id, agents: agents as [AgentDetailView, ...AgentDetailView[]] };
  };
  const spend = ({ id, companyId }: AgentDetailView, costCents: number) =>
    harness.api
      .post(`/api/companies/${companyId}/cost-events`)
      .send({ ...COST, agentId: id, costCents })
      .expect(201);
  const setBudget = (companyId: string, budgetMonthlyCents: number) =>
    harness.api
      .patch(`/api/companies/${companyId}`)
      .send({ budgetMonthlyCents, confirmUnlimited: true })
      .expect(200);
  const invoke = (agent: { id: string }) =>
    harness.api.post(`/api/agents/${agent.id}/heartbeat/invoke`).send({});
  const runNow = async (id: string) =>
    (await harness.api.get(`/api/heartbeat-runs/${id}`)).body as HeartbeatRunView;
  const said = async (companyId: string) => {
    const path = `/api/companies/${companyId}/activity?entityId=${companyId}`;
    const { body } = await harness.api.get(path).expect(200);
    return (body as ActivityView[])
      .filter((row) => row.action.startsWith('budget.'))
      .map((row) => `${row.action} ${row.details.spendCents} of ${row.details.budgetCents}`)
      .reverse();
  };

  it('causes one alert at 80 percent and one at 100 percent, regardless of which agents spend', async () => {
    const { companyId, agents } = await staff(1_000, 5);
    for (let cents = 10; cents <= 1_200; cents += 10) {
      await spend(agents[Math.floor(cents / 70) % 5] as AgentDetailView, 10);
      const expected = [
        ...(cents >= 800 ? ['budget.soft_alert 800 of 1000'] : []),
        ...(cents >= 1_000 ? ['budget.hard_stop 1000 of 1000'] : []),
      ];
      expect(await said(companyId)).toEqual(expected);
    }
    const parts = await harness.db.agentMonth.aggregate({
      where: { companyId },
      _sum: { costCents: true },
    });
    expect(Number(parts._sum.costCents)).toBe(1_200);
  });

  it('blocks new runs when the budget is spent, but leaves agents and running runs unchanged', async () => {
    const { companyId, agents } = await staff(100, 2);
    const [busy, idle] = agents as [AgentDetailView, AgentDetailView];
    let finish: () => void = () => undefined;
    harness.scripted.on(
      busy.id,
      () =>
        new Promise((resolve) => {
          finish = () => resolve(SUCCEEDED);
        }),
    );
    const workers = startWorkers(harness.context);
    try {
      const running = (await invoke(busy).expect(202)).body as HeartbeatRunView;
      await until('it to start', async () => (await runNow(running.id)).status === 'running');
      const waiting = (await invoke(busy).expect(202)).body as HeartbeatRunView;
      await spend(idle, 100);
      const refused = await invoke(idle).expect(409);
      expect(refused.body).toMatchObject({
        code: 'not_invokable',
        details: { reason: 'company_budget' },
      });
      expect((await runNow(running.id)).status).toBe('running');
      finish();
      await until('the waiting run to end', async () => {
        return (await runNow(waiting.id)).status === 'cancelled';
      });
      expect(await runNow(running.id)).toMatchObject({ status: 'succeeded' });
      expect(await runNow(waiting.id)).toMatchObject({
        startedAt: null,
        errorCode: 'company_budget',
      });
      const { body } = await harness.api.get(`/api/companies/${companyId}/agents`);
      expect(body.map((agent: AgentDetailView) => agent.status)).toEqual(['idle', 'idle']);
      await setBudget(companyId, 101);
      harness.scripted.on(busy.id, () => SUCCEEDED);
      await invoke(busy).expect(202);
    } finally {
      await workers.close({ handOverAfterMs: 0 });
    }
  });

  it('records a hard stop at a time that is later than the start of every run that was admitted before it', async () => {
    const { context, db } = harness;
    const { companyId, agents } = await staff(100, 2);
    const [spender, starting] = agents as [AgentDetailView, AgentDetailView];
    await spend(spender, 80);
    let crossing: ReturnType<typeof spend> | undefined;
    const waiting = await harness.build.queuedRun(starting.id);
    const startedAt = await inTransaction(systemCall(context, companyId), async (tx) => {
      const inside = { ...context, db: tx as unknown as OpenDatabase };
      expect(await claimRun(inside, waiting, 'a worker')).not.toBeNull();
      crossing = spend(spender, 20);
      crossing.then(() => undefined);
      await until('the crossing to wait for the start', async () => {
        return (await context.db.pool.query(LOCK_WAITS)).rows.length > 0;
      });
      expect(await db.companyMonth.findMany({ where: { companyId } })).toMatchObject([
        { hardStoppedAt: null },
      ]);
      const [now] = await tx.query({ text: 'SELECT clock_timestamp()::text AS at' });
      return (now as { at: string }).at;
    });
    await crossing;
    const { rows } = await context.db.pool.query(CROSSED, [companyId, startedAt]);
    expect(rows).toEqual([{ isLater: true }]);
  });

  it('blocks checkout, mentions and the restart of lost runs when the budget is spent', async () => {
    const { api, build, context } = harness;
    const { companyId, agents } = await staff(100, 2);
    const [agent, other] = agents as [AgentDetailView, AgentDetailView];
    const run = await build.liveRun(agent);
    const issue = await build.issue({ companyId, status: 'todo' });
    await spend(other, 100);
    const refused = await api
      .post(`/api/issues/${issue.id}/checkout`)
      .set('Authorization', run.authorization)
      .send({ agentId: agent.id, expectedStatuses: ['todo'] })
      .expect(409);
    expect(refused.body.details).toMatchObject({ reason: 'company_budget', retry: false });
    const comment = { body: `@${agent.name.replaceAll(' ', '-')} please` };
    const { body } = await api.post(`/api/issues/${issue.id}/comments`).send(comment).expect(201);
    expect(body.mentions).toMatchObject([{ outcome: 'skipped', reason: 'company_budget' }]);
    await context.db.pool.query(
      `UPDATE heartbeat_run SET lease_expires_at = now() - interval '1 hour' WHERE id = $1`,
      [run.id],
    );
    const workers = startWorkers(context);
    await until('the lost run to end', async () => (await runNow(run.id)).status === 'cancelled');
    await workers.close({ handOverAfterMs: 0 });
    expect(await runNow(run.id)).toMatchObject({ attempt: 1, errorCode: 'company_budget' });
  });

  it('applies immediately when it is lowered: alerts at 80 percent, stops at 100 percent', async () => {
    const { companyId, agents } = await staff(0, 3);
    for (const agent of agents) await spend(agent, 100);
    expect(await said(companyId)).toEqual([]);
    await setBudget(companyId, 370);
    const soft = 'budget.soft_alert 300 of 370';
    expect(await said(companyId)).toEqual([soft]);
    await setBudget(companyId, 300);
    const hard = 'budget.hard_stop 300 of 300';
    expect(await said(companyId)).toEqual([soft, hard]);
    await invoke(agents[0]).expect(409);
    await setBudget(companyId, 290);
    expect(await said(companyId)).toEqual([soft, hard]);
    await setBudget(companyId, 400);
    await invoke(agents[0]).expect(202);
    for (const agent of agents) await spend(agent, 33);
    expect(await said(companyId)).toEqual([soft, hard]);
    await spend(agents[1] as AgentDetailView, 1);
    expect(await said(companyId)).toEqual([soft, hard, 'budget.hard_stop 400 of 400']);
    await setBudget(companyId, 0);
    await invoke(agents[0]).expect(202);
    await spend(agents[0], 5_000);
    expect(await said(companyId)).toHaveLength(3);
  });

  it('allows runs and alerts again in a new month', async () => {
    const { companyId, agents } = await staff(100, 1);
    await spend(agents[0], 100);
    await invoke(agents[0]).expect(409);
    for (const table of ['agent_month', 'company_month']) {
      await harness.context.db.pool.query(
        `UPDATE ${table} SET month = month - interval '1 month' WHERE company_id = $1`,
        [companyId],
      );
    }
    await invoke(agents[0]).expect(202);
    await spend(agents[0], 80);
    expect(await said(companyId)).toHaveLength(3);
  });

  it('sets SERVICE_BUDGET_ALERT in the next run of every agent after 80 percent is spent', async () => {
    const { agents } = await staff(100, 2);
    const [spender, other] = agents as [AgentDetailView, AgentDetailView];
    await harness.api.patch(`/api/agents/${spender.id}`).send({ budgetMonthlyCents: 90 });
    const alerts: Record<string, string | undefined> = {};
    await spend(spender, 80);
    for (const agent of agents) {
      harness.scripted.on(agent.id, (run) => {
        alerts[run.agentId] = run.environment.SERVICE_BUDGET_ALERT;
        return SUCCEEDED;
      });
      await harness.build.queuedRun(agent.id);
    }
    await harness.drain();
    expect(alerts).toEqual({ [spender.id]: 'agent,company', [other.id]: 'company' });
  });

  it('includes the spend of agents whose month row has no reservation', async () => {
    const { companyId, agents } = await staff(1_000, 3);
    await harness.context.db.pool.query(
      `INSERT INTO agent_month (company_id, agent_id, month, cost_cents)
       VALUES ($1, $2, date_trunc('month', now() AT TIME ZONE 'UTC'), 700)`,
      [companyId, agents[1]?.id],
    );
    await spend(agents[0], 99);
    expect(await said(companyId)).toEqual([]);
    await spend(agents[0], 1);
    expect(await said(companyId)).toEqual(['budget.soft_alert 800 of 1000']);
  });

  it('needs no lock on the company for most cost events', async () => {
    const { companyId, agents } = await staff(1_000_000, 4);
    const locks = `SELECT count(*)::int AS n FROM agent_month
      WHERE company_id = $1 AND cost_cents + 100 >= watch_at_cents`;
    let looked = 0;
    for (let n = 0; n < 200; n++) {
      const { rows } = await harness.context.db.pool.query(`${locks} AND agent_id = $2`, [
        companyId,
        agents[n % 4]?.id,
      ]);
      looked += rows[0].n;
      await spend(agents[n % 4] as AgentDetailView, 100);
    }
    expect(looked).toBeLessThan(10);
  });

  it('does not limit the runs of other companies', async () => {
    const { agents } = await staff(100, 1);
    const other = await harness.build.agent();
    await spend(agents[0], 100);
    await invoke(other).expect(202);
  });
});
