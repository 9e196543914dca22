import { useHarness } from '../../../test/harness';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('query plans of the inbox', () => {
  const harness = useHarness();

  const asked = async (path: string) => {
    const client = await harness.context.db.pool.connect();
    const query = jest.spyOn(Object.getPrototypeOf(client), 'query');
    client.release();
    try {
      await harness.api.get(path).expect(200);
      const calls = query.mock.calls.map(([first]) => first as unknown as Asked);
      return calls.filter(({ name }) => name?.startsWith('inbox-'));
    } finally {
      query.mockRestore();
    }
  };
  interface Asked {
    name: string;
    text: string;
    values: unknown[];
  }

  const plansOf = async (statements: Asked[], explain: string) => {
    const plans: PlanNode[][] = [];
    for (const { text, values } of statements) {
      const { rows } = await harness.context.db.pool.query(`${explain} ${text}`, values);
      plans.push(nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode));
    }
    return plans;
  };

  it.each([
    ['inbox', 16],
    ['inbox/counts', 3],
  ])('scan no table without an index: GET %s', async (path, most) => {
    const { id } = await harness.build.company();
    const statements = await asked(`/api/companies/${id}/${path}`);
    expect(statements.length).toBeLessThanOrEqual(most);
    const client = await harness.context.db.pool.connect();
    const indexes: (string | undefined)[] = [];
    try {
      await client.query('BEGIN');
      await client.query('SET LOCAL enable_seqscan = off');
      for (const { name, text, values } of statements) {
        const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values);
        const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode);
        const whole = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
        expect({ name, whole: whole.map((node) => node['Relation Name']) }).toEqual({
          name,
          whole: [],
        });
        indexes.push(...nodes.map((node) => node['Index Name']));
      }
      expect(indexes).toContain('heartbeat_run_of_merged_wakes');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it.each(['inbox', 'inbox/counts'])(
    'use one plan per connection for all parameter values: GET %s',
    async (path) => {
      const { id } = await harness.build.company();
      const { pool } = harness.context.db;
      for (let turn = 0; turn < 2; turn++) await asked(`/api/companies/${id}/${path}`);
      const clients = await Promise.all(
        Array.from({ length: pool.idleCount }, () => pool.connect()),
      );
      const plans = clients.map((client) =>
        client.query(
          `SELECT coalesce(sum(generic_plans), 0)::int AS generic, coalesce(sum(custom_plans), 0)::int AS custom
         FROM pg_prepared_statements WHERE name LIKE 'inbox-%'`,
        ),
      );
      const counts = (await Promise.all(plans)).map(({ rows }) => rows[0]);
      for (const client of clients) client.release();
      expect(Math.max(...counts.map(({ generic }) => generic))).toBeGreaterThan(0);
      expect(counts.map(({ custom }) => custom)).toEqual(counts.map(() => 0));
    },
  );

  const fill = async (issues: number) => {
    const agent = await harness.build.agent();
    const values = [agent.companyId, agent.id, issues];
    await harness.context.db.pool.query(
      `WITH made AS (
        INSERT INTO issue (id, company_id, issue_number, identifier, title, status)
        SELECT gen_random_uuid(), $1::uuid, n, $1::text || n, 'An issue', CASE n WHEN 1 THEN 'todo' ELSE 'done' END
        FROM generate_series(1, $3::int) n RETURNING id, company_id, issue_number)
      INSERT INTO heartbeat_run (id, company_id, agent_id, issue_id, status, source, finished_at)
      SELECT gen_random_uuid(), company_id, $2::uuid, id, 'failed', 'manual', now() FROM made WHERE issue_number <= 1000`,
      values,
    );
    await harness.asOwner('ANALYZE issue, heartbeat_run, agent');
    return agent.companyId;
  };

  it('read only issues that have failed runs', async () => {
    const statements = await asked(`/api/companies/${await fill(8_000)}/inbox`);
    const plans = await plansOf(statements, 'EXPLAIN (ANALYZE, FORMAT JSON)');
    const read = plans.map((nodes) =>
      nodes
        .filter((node) => node['Relation Name'] === 'issue')
        .reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0), 0),
    );
    expect(Math.max(...read)).toBeLessThan(2_000);
  });

  it.each([
    ['blocked', 'inbox-issues'],
    ['in_review', 'inbox-reviews'],
  ])('read only the issues of the page: %s', async (status, statement) => {
    const { id } = await harness.build.company();
    await harness.context.db.pool.query(
      `INSERT INTO issue (id, company_id, issue_number, identifier, title, status)
      SELECT gen_random_uuid(), $1::uuid, n, $1::text || n, 'An issue', $2
      FROM generate_series(1, 3000) n`,
      [id, status],
    );
    await harness.asOwner('ANALYZE issue');
    const statements = (await asked(`/api/companies/${id}/inbox?limit=5`)).filter(
      ({ name }) => name === statement,
    );
    const explain = 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)';
    const [[whole] = []] = await plansOf(statements, explain);
    const pages = (whole?.['Shared Hit Blocks'] ?? 0) + (whole?.['Shared Read Blocks'] ?? 0);
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(100);
  });

  it('read linked issues and texts only for the approvals on the page', async () => {
    const issue = await harness.build.issue();
    const { companyId } = issue;
    await harness.context.db.pool.query(
      `WITH made AS (
        INSERT INTO approval (id, company_id, type, status, payload)
        SELECT gen_random_uuid(), $1::uuid, 'approve_ceo_strategy', 'pending', jsonb_build_object('title', 'Strategy',
          'plan', (SELECT string_agg(md5(n || ' ' || part), '') FROM generate_series(1, 200) part))
        FROM generate_series(1, 300) n RETURNING id, company_id)
      INSERT INTO approval_issue (company_id, approval_id, issue_id) SELECT company_id, id, $2::uuid FROM made`,
      [companyId, issue.id],
    );
    await harness.asOwner('ANALYZE approval, approval_issue');
    const path = `/api/companies/${companyId}/inbox?limit=5`;
    const { body } = await harness.api.get(path).expect(200);
    expect(body.map(({ blocks }: { blocks: object }) => blocks)).toEqual(
      Array(5).fill({ agents: 0, issues: 1 }),
    );
    const ofApprovals = ['inbox-requests', 'inbox-texts'];
    const statements = (await asked(path)).filter(({ name }) => ofApprovals.includes(name));
    const plans = await plansOf(statements, 'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON)');
    const looks = plans
      .flat()
      .filter((node) => node['Relation Name'] === 'approval_issue')
      .map((node) => node['Actual Loops'] ?? 0);
    expect(Math.max(...looks)).toBeLessThanOrEqual(6);
    const pages = plans.map(
      ([whole]) => (whole?.['Shared Hit Blocks'] ?? 0) + (whole?.['Shared Read Blocks'] ?? 0),
    );
    expect(Math.max(...pages)).toBeLessThan(300);
  });
});
