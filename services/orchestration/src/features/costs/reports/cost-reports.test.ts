import { newId } from '@switchyard/db';
import { agentCost, costSummary, projectCost } from '@switchyard/types';
import { z } from 'zod';
import { useHarness } from '../../../../test/harness';
import { walkPages } from '../../../../test/walk-pages';

const COST = { provider: 'acme', model: 'large', inputTokens: 10, outputTokens: 1, costCents: 5 };

const AGE = [
  `UPDATE cost_event SET created_at = created_at - interval '32 days' WHERE company_id = $1`,
  `UPDATE agent_month SET month = month - interval '1 month' WHERE company_id = $1`,
  `UPDATE company_month SET month = month - interval '1 month' WHERE company_id = $1`,
];

describe('cost reports', () => {
  const harness = useHarness();

  const read = async (companyId: string, report: string) =>
    (await harness.api.get(`/api/companies/${companyId}/costs/${report}`).expect(200)).body;
  const post = (companyId: string, body: object) =>
    harness.api.post(`/api/companies/${companyId}/cost-events`).send(body).expect(201);

  it('show zeros for a company without spend', async () => {
    const { id: companyId } = await harness.build.company();
    const summary = costSummary.strict().parse(await read(companyId, 'summary'));
    const { rows } = await harness.context.db.pool.query(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
         to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month', 'YYYY-MM-DD')
           AS next`,
    );
    expect(summary).toEqual({
      companyId,
      month: rows[0].month,
      from: `${rows[0].month}-01`,
      to: rows[0].next,
      spendCents: 0,
      budgetCents: 0,
      utilizationPercent: 0,
      alert: 'none',
      unpricedEvents: 0,
      disputedCents: 0,
      reservedCents: 0,
      unlimited: true,
      burnRateCentsPerDay: 0,
      endsOn: null,
    });
    expect(await read(companyId, 'by-agent')).toEqual([]);
    expect(await read(companyId, 'by-project')).toEqual([]);
  });

  it('have equal sums by agent and by project, with spend outside projects in the last row', async () => {
    const { build } = harness;
    const { id: companyId } = await build.company({ budgetMonthlyCents: 1_000 });
    const idle = await build.agent({ companyId, budgetMonthlyCents: 50 });
    const busy = await build.agent({ companyId, budgetMonthlyCents: 30 });
    const first = await build.project({ companyId });
    const second = await build.project({ companyId });
    await build.project({ companyId });
    await post(companyId, { ...COST, agentId: busy.id, projectId: first.id });
    await post(companyId, { ...COST, agentId: busy.id, projectId: first.id, costCents: 7 });
    await post(companyId, { ...COST, agentId: busy.id, projectId: second.id });
    await post(companyId, { ...COST, agentId: busy.id });

    const byAgent = z.array(agentCost.strict()).parse(await read(companyId, 'by-agent'));
    const none = { unpricedEvents: 0, disputedCents: 0, reservedCents: 0 };
    const spent = { costCents: 22, inputTokens: 40, outputTokens: 4, ...none };
    const nothing = { costCents: 0, inputTokens: 0, outputTokens: 0, ...none };
    const limited = { unlimited: false, endsOn: byAgent[0]?.endsOn };
    expect(byAgent).toEqual([
      {
        agentId: busy.id,
        agentName: busy.name,
        budgetMonthlyCents: 30,
        utilizationPercent: 73.33,
        burnRateCentsPerDay: 22,
        ...limited,
        ...spent,
      },
      {
        agentId: idle.id,
        agentName: idle.name,
        budgetMonthlyCents: 50,
        utilizationPercent: 0,
        burnRateCentsPerDay: 0,
        unlimited: false,
        endsOn: null,
        ...nothing,
      },
    ]);
    const byProject = z.array(projectCost.strict()).parse(await read(companyId, 'by-project'));
    const row = (projectId: string | null, projectName: string | null, costCents: number) => ({
      projectId,
      projectName,
      costCents,
      inputTokens: projectId === first.id ? 20 : 10,
      outputTokens: projectId === first.id ? 2 : 1,
      unpricedEvents: 0,
    });
    expect(byProject).toEqual([
      row(second.id, second.name, 5),
      row(first.id, first.name, 12),
      row(null, null, 5),
    ]);
    expect(await read(companyId, 'summary')).toMatchObject({
      spendCents: 22,
      budgetCents: 1_000,
      utilizationPercent: 2.2,
      alert: 'none',
    });
  });

  it('return their rows in pages', async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    const pages = (report: string, limit: number) =>
      walkPages<{ agentId: string }>(harness, `${path}/${report}`, limit);
    const path = `/api/companies/${companyId}/costs`;
    const agents: string[] = [];
    for (let n = 0; n < 5; n++) {
      const agent = await build.agent({ companyId });
      const project = await build.project({ companyId });
      agents.unshift(agent.id);
      await post(companyId, { ...COST, agentId: agent.id, projectId: project.id });
    }
    await post(companyId, { ...COST, agentId: agents[0] });
    const byAgent = await pages('by-agent', 2);
    expect(byAgent.map((row) => row.agentId)).toEqual(agents);
    const whole = await read(companyId, 'by-project');
    expect(whole).toHaveLength(6);
    expect(whole.at(-1).projectId).toBeNull();
    for (const limit of [1, 2, 5]) {
      expect(await pages('by-project', limit)).toEqual(whole);
    }
    for (const report of ['by-agent', 'by-project']) {
      await api.get(`${path}/${report}?limit=0`).expect(400);
      await api.get(`${path}/${report}?cursor=x`).expect(400);
    }
  });

  it('exclude earlier months', async () => {
    const { id: agentId, companyId } = await harness.build.agent({ budgetMonthlyCents: 5 });
    await harness.api.patch(`/api/companies/${companyId}`).send({ budgetMonthlyCents: 5 });
    await post(companyId, { ...COST, agentId });
    expect(await read(companyId, 'summary')).toMatchObject({ spendCents: 5, alert: 'hard' });
    for (const sql of AGE) await harness.context.db.pool.query(sql, [companyId]);
    expect(await read(companyId, 'summary')).toMatchObject({
      spendCents: 0,
      utilizationPercent: 0,
      alert: 'none',
    });
    expect(await read(companyId, 'by-agent')).toMatchObject([{ agentId, costCents: 0 }]);
    expect(await read(companyId, 'by-project')).toEqual([]);
  });

  it.each([
    [799, 79.9, 'none'],
    [800, 80, 'soft'],
    [999, 99.9, 'soft'],
    [1_000, 100, 'hard'],
    [2_500, 250, 'hard'],
  ])(
    'show %i of 1000 cents as %d percent with alert %s',
    async (costCents, utilizationPercent, alert) => {
      const { id: agentId, companyId } = await harness.build.agent();
      await harness.api.patch(`/api/companies/${companyId}`).send({ budgetMonthlyCents: 1_000 });
      await post(companyId, { ...COST, agentId, costCents });
      expect(await read(companyId, 'summary')).toMatchObject({ utilizationPercent, alert });
    },
  );

  it('return 404 for an unknown company, and 403 to callers of other companies', async () => {
    const { companyId } = await harness.build.agent();
    const stranger = await harness.build.apiKey((await harness.build.agent()).id);
    for (const report of ['summary', 'by-agent', 'by-project']) {
      await harness.api.get(`/api/companies/${newId()}/costs/${report}`).expect(404);
      await harness.api.get(`/api/companies/nonsense/costs/${report}`).expect(404);
      const refused = await harness.api
        .get(`/api/companies/${companyId}/costs/${report}`)
        .set('Authorization', stranger);
      expect([refused.status, refused.body.code]).toEqual([403, 'cross_company']);
    }
  });

  it('use an index for the spend of the month by project', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    const { pool } = harness.context.db;
    await pool.query(
      `INSERT INTO cost_event (id, source, company_id, agent_id, provider, model, input_tokens,
         output_tokens, cost_cents, created_at)
       SELECT gen_random_uuid(), 'agent', $1, $2, 'p', 'm', 1, 1, 1, now() - n * interval '1 hour'
       FROM generate_series(1, 20000) n`,
      [companyId, agentId],
    );
    await harness.asOwner('ANALYZE cost_event');
    const { rows } = await pool.query(
      `EXPLAIN SELECT project_id, sum(cost_cents), sum(input_tokens), sum(output_tokens)
       FROM cost_event WHERE company_id = '${companyId}' AND created_at >= now() - interval '1 month'
       GROUP BY 1`,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/cost_event_reported[\s\S]*Index Cond: .*created_at >=/);
  });
});
