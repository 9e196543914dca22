import { newId } from '@switchyard/db';
import type { AgentView } from '@switchyard/types';
import fc from 'fast-check';
import { useHarness } from '../../../test/harness';

const TALLIES = `
  SELECT day::text, agent_id, provider, model, cost_cents::int, input_tokens::int, output_tokens::int,
    unpriced_events::int, events::int
  FROM cost_day WHERE company_id = $1 ORDER BY day, agent_id, provider, model`;

const SUMS = `
  SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, agent_id, provider, model, sum(cost_cents)::int AS cost_cents,
    sum(input_tokens)::int AS input_tokens, sum(output_tokens)::int AS output_tokens,
    count(*) FILTER (WHERE unpriced)::int AS unpriced_events, count(*)::int AS events
  FROM cost_event WHERE company_id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`;

const event = fc.record({
  of: fc.nat(2),
  provider: fc.constantFrom('acme', "o'r\n{}", 'acme,x'),
  model: fc.constantFrom('m', 'x,m', '💥'.repeat(500)),
  cents: fc.option(fc.nat(100_000)),
  at: fc.constantFrom('2024-02-28T23:59:59.999Z', '2024-02-29T00:00:00.000Z', null),
});

describe('the daily cost totals', () => {
  const harness = useHarness();
  const query = (sql: string, values: unknown[]) => harness.context.db.pool.query(sql, values);
  const expectExact = async (companyId: string) => {
    const { rows } = await query(TALLIES, [companyId]);
    expect(rows).toEqual((await query(SUMS, [companyId])).rows);
    return rows;
  };
  const agentsOf = async (count: number) => {
    const { id: companyId } = await harness.build.company();
    const agents: AgentView[] = [];
    for (let n = 0; n < count; n++) agents.push(await harness.build.agent({ companyId }));
    return { companyId, agents };
  };
  const post = (agent: AgentView, more: object) =>
    harness.api.post(`/api/companies/${agent.companyId}/cost-events`).send({
      agentId: agent.id,
      provider: 'p',
      model: 'm',
      inputTokens: 2,
      outputTokens: 3,
      costCents: 7,
      ...more,
    });

  it('equal the sums of the events, including late events and several events per statement', async () => {
    const { companyId, agents } = await agentsOf(3);
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 30 }), async (events) => {
        await query(
          `INSERT INTO cost_event (id, source, company_id, agent_id, provider, model, cost_cents, input_tokens, output_tokens, unpriced, created_at)
           SELECT gen_random_uuid(), 'agent', $1, agent, provider, model, coalesce(cents, 0), 1, 2, cents IS NULL, coalesce(at, now())
           FROM jsonb_to_recordset($2) AS e (agent uuid, provider text, model text, cents bigint, at timestamptz)`,
          [companyId, JSON.stringify(events.map((one) => ({ ...one, agent: agents[one.of]?.id })))],
        );
        await expectExact(companyId);
      }),
      { numRuns: 15 },
    );
  });

  it('stay exact when several agents report concurrently, and every report succeeds', async () => {
    const { companyId, agents } = await agentsOf(3);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        post(agents[n % 3] as AgentView, { model: `m${n % 4}`, costCents: n }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const rows = await expectExact(companyId);
    expect(rows.reduce((sum, row) => sum + row.events, 0)).toBe(60);
  });

  it('exclude rejected events, repeated events and disputed cents', async () => {
    const { companyId, agents } = await agentsOf(1);
    const [agent] = agents as [AgentView];
    await harness.api.patch(`/api/agents/${agent.id}`).send({ budgetMonthlyCents: 10 }).expect(200);
    const key = await harness.build.apiKey(agent.id);
    await post(agent, { costCents: 100 }).set('Authorization', key).expect(201);
    const idempotencyKey = newId();
    await post(agent, { idempotencyKey }).expect(201);
    await post(agent, { idempotencyKey }).expect(200);
    await post(agent, { issueId: newId() }).expect(422);
    const rows = await expectExact(companyId);
    expect(rows).toMatchObject([{ cost_cents: 10 + 7, events: 2 }]);
  });

  it('remain when events are deleted, the agent is terminated or the company is archived', async () => {
    const { companyId, agents } = await agentsOf(1);
    const [agent] = agents as [AgentView];
    await post(agent, {}).expect(201);
    const { rows: before } = await query(TALLIES, [companyId]);
    await query('DELETE FROM cost_event WHERE company_id = $1', [companyId]);
    await harness.api.post(`/api/agents/${agent.id}/terminate`).expect(200);
    await harness.api.post(`/api/companies/${companyId}/archive`).expect(200);
    expect((await query(TALLIES, [companyId])).rows).toEqual(before);
    const { body } = await harness.api.get(`/api/companies/${companyId}/costs/by-day`).expect(200);
    expect(body[0]).toMatchObject({ costCents: 7, events: 1 });
  });
});
