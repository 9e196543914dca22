import { useHarness } from '../../../../test/harness';

interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

const EVENTS = 30_000;

describe('the queries of cost reports with many events', () => {
  const harness = useHarness();
  let at: string;
  let agentId: string;
  let issueId: string;
  let runId: string;

  beforeAll(async () => {
    const { build } = harness;
    const run = await build.liveRun();
    const { companyId } = run.agent;
    agentId = run.agent.id;
    runId = run.id;
    issueId = (await build.issue({ companyId })).id;
    at = `/api/companies/${companyId}`;
    for (const spender of [run.agent, await build.agent(), await build.agent()]) {
      await harness.context.db.pool.query(
        `INSERT INTO cost_event (id, source, company_id, agent_id, issue_id, run_id, provider, model,
           input_tokens, output_tokens, cost_cents, created_at)
         SELECT gen_random_uuid(), 'agent', $1, $2, CASE WHEN n % 500 = 0 THEN $3::uuid END,
           CASE WHEN n % 500 = 1 THEN $4::uuid END, 'p', 'm' || n % 7, 1, 1, 1,
           now() - n * interval '1 hour' FROM generate_series(0, $5::int) n`,
        [
          spender.companyId,
          spender.id,
          spender.id === agentId ? issueId : null,
          spender.id === agentId ? runId : null,
          EVENTS / 3,
        ],
      );
    }
    await harness.asOwner('VACUUM ANALYZE cost_event');
    await harness.asOwner('VACUUM ANALYZE cost_day');
  });

  const isOfDisputed = (scan: string) => /cost_event(?:_disputed)?$/.test(scan);
  const asked = async (path: string, table = /\bcost_event\b/): Promise<Statement[]> => {
    const query = jest.spyOn(harness.context.db.pool, 'query');
    try {
      await harness.api.get(path).expect(200);
      return query.mock.calls
        .map(([first]) => first as unknown as Statement)
        .filter(({ text }) => table.test(text));
    } finally {
      query.mockRestore();
    }
  };
  const plansOf = async ({ text, values }: Statement): Promise<string[]> => {
    const client = await harness.context.db.pool.connect();
    const plans: string[] = [];
    try {
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await client.query(`BEGIN; SET LOCAL plan_cache_mode = ${mode}`);
        await client.query(`PREPARE explained AS ${text}`);
        const literals = values.map((value) =>
          value === null ? 'NULL' : client.escapeLiteral(String(value)),
        );
        const { rows } = await client.query(`EXPLAIN EXECUTE explained(${literals.join(', ')})`);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        await client.query('DEALLOCATE explained; ROLLBACK');
      }
      return plans;
    } finally {
      client.release();
    }
  };

  it.each([
    'costs/summary?from=2025-01-01&to=2025-12-31',
    'costs/summary',
    'costs/by-agent?from=2025-01-01&to=2025-12-31',
    'costs/by-agent',
    'costs/by-day?from=2025-01-01&to=2025-12-31',
    'costs/by-day',
    'costs/by-provider?from=2025-01-01&to=2025-12-31',
    'costs/by-model?from=2025-01-01&to=2025-12-31',
    'costs/limits?includeOk=true',
    'overview',
  ])('read daily totals, and read events only to sum disputed cents: %s', async (path) => {
    const statements = await asked(`${at}/${path}`, /\bcost_day\b/);
    expect(statements).toHaveLength(1);
    for (const plan of await plansOf(statements[0] as Statement)) {
      expect(plan.match(/(?:on|using) cost_event\S*/g)?.every(isOfDisputed) ?? true).toBe(true);
      expect(plan).not.toMatch(/Seq Scan on cost_day/);
    }
  });

  it.each([
    'costs/by-project?from=2025-01-01&to=2025-12-31',
    'costs/by-project',
    'costs/by-issue?from=2025-01-01&to=2025-12-31',
    'costs/by-run?from=2025-01-01&to=2025-12-31',
    'cost-events',
    'cost-events?agentId=AGENT',
    'cost-events?model=m3&provider=p&from=2025-01-01',
  ])('read events only from the covering index: %s', async (path) => {
    const statements = await asked(`${at}/${path.replace('AGENT', agentId)}`);
    expect(statements).toHaveLength(1);
    for (const plan of await plansOf(statements[0] as Statement)) {
      expect(plan).toMatch(/Index Only Scan (Backward )?using cost_event_reported/);
      expect(plan).not.toMatch(/Seq Scan on cost_event/);
    }
  });

  it.each([
    ['cost-events?issueId=ISSUE', 'cost_event_of_issue'],
    ['cost-events?issueId=ISSUE&model=m3', 'cost_event_of_issue'],
    ['cost-events?runId=RUN', 'cost_event_company_id_run_id_idx'],
    ['cost-events?runId=RUN&issueId=ISSUE&agentId=AGENT', 'cost_event_company_id_run_id_idx'],
  ])('find the rows of %s with the index %s', async (path, index) => {
    const filled = path.replace('AGENT', agentId).replace('ISSUE', issueId).replace('RUN', runId);
    const statements = await asked(`${at}/${filled}`);
    expect(statements).toHaveLength(1);
    for (const plan of await plansOf(statements[0] as Statement)) {
      expect(plan).toContain(index);
      expect(plan).not.toMatch(/Seq Scan on cost_event/);
    }
  });

  it('consist of the same statements whether there are many events or none', async () => {
    const { id } = await harness.build.company();
    for (const path of ['costs/by-issue', 'costs/by-run', 'costs/by-agent', 'cost-events']) {
      const many = await asked(`${at}/${path}`);
      expect(many.map(({ name }) => name)).toEqual(
        (await asked(`/api/companies/${id}/${path}`)).map(({ name }) => name),
      );
    }
  });
});
