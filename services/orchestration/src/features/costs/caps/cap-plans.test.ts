import { SPEND_CAP_PERIODS, SPEND_CAP_SCOPES, type SpendCapView } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';

const EVENTS = 100_000;
const PART = 10_000;
const MOST_PAGES = 600;

const COLUMN = {
  run: 'run_id',
  issue: 'issue_id',
  project: 'project_id',
  agent: 'agent_id',
  company: 'company_id',
} as const;

describe('the spend of a cap in a company with 100,000 cost events', () => {
  const harness = useHarness();
  const query = async (sql: string, ...values: unknown[]) =>
    (await harness.context.db.pool.query(sql, values)).rows;

  it('equals the sum of the events, but is computed without reading the events', async () => {
    const { build, api } = harness;
    const { id: companyId } = await build.company();
    const { id: projectId } = await build.project({ companyId });
    const { id: issueId } = await build.issue({ companyId, projectId });
    const agents: string[] = [];
    const runs: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { id, agent } = await build.liveRun({ companyId });
      agents.push(agent.id);
      runs.push(id);
    }
    await query(
      `UPDATE heartbeat_run SET issue_id = $2, created_at = now() - interval '400 days' WHERE company_id = $1`,
      companyId,
      issueId,
    );
    for (let from = 0; from < EVENTS; from += PART) {
      await query(
        `INSERT INTO cost_event (id, source, company_id, agent_id, run_id, issue_id, project_id, provider, model,
         input_tokens, output_tokens, cost_cents, created_at)
       SELECT gen_random_uuid(), 'agent', $1, ($2::uuid[])[1 + n % 5], CASE WHEN n < 1000 THEN ($3::uuid[])[1 + n % 5] END,
         $4, $5, 'p', 'm', 1, 1, 1 + n % 7, now() - n * interval '365 days' / ${EVENTS}
       FROM generate_series($6::int, $7::int) n`,
        ...[companyId, agents, runs, issueId, projectId, from, from + PART - 1],
      );
    }
    await query(
      `INSERT INTO agent_month (company_id, agent_id, month, cost_cents)
       SELECT company_id, agent_id, date_trunc('month', created_at AT TIME ZONE 'UTC'), sum(cost_cents)
       FROM cost_event WHERE company_id = $1 GROUP BY 1, 2, 3`,
      companyId,
    );
    await query(
      `UPDATE heartbeat_run r SET cost_cents = (SELECT sum(cost_cents) FROM cost_event e
         WHERE e.company_id = r.company_id AND e.run_id = r.id) WHERE company_id = $1`,
      companyId,
    );
    for (const table of ['cost_event', 'cost_day', 'cost_scope_day', 'agent_month']) {
      await harness.asOwner(`VACUUM ANALYZE ${table}`);
    }
    const [agentId, runId] = [agents[0] as string, runs[0] as string];
    const ids = {
      run: runId,
      issue: issueId,
      project: projectId,
      agent: agentId,
      company: companyId,
    };
    const path = `/api/companies/${companyId}/spend-caps`;
    for (const scope of SPEND_CAP_SCOPES) {
      if (scope === 'routine') continue;
      for (const period of SPEND_CAP_PERIODS) {
        const cap = { scope, scopeId: ids[scope], period, cents: 1_000_000 };
        await api.post(path).send(cap).expect(201);
      }
    }
    const { body: caps } = await api.get(path).expect(200);
    expect(caps).toHaveLength(20);
    for (const { scope, scopeId, period, spentCents } of caps as SpendCapView[]) {
      const [expected] = await query(
        `SELECT coalesce(sum(cost_cents), 0)::int AS cents FROM cost_event WHERE ${COLUMN[scope as 'run']} = $1
         AND ($2 = 'total' OR created_at >= date_trunc(replace($2, 'total', 'day'), now(), 'UTC'))`,
        ...[scopeId, period],
      );
      expect([scope, period, spentCents]).toEqual([scope, period, expected.cents]);
    }
    const [plan] = await query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM caps_of($1, $2, $3, NULL, $4)`,
      ...[companyId, agentId, issueId, runId],
    );
    const [{ Plan: top }] = plan['QUERY PLAN'];
    expect(top['Actual Rows']).toBe(20);
    expect(top['Shared Hit Blocks'] + top['Shared Read Blocks']).toBeLessThan(MOST_PAGES);
  });
});
