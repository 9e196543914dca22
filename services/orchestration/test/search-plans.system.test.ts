import { foldSearchChanges } from '../src/features/search/fold-search-changes';
import { useHarness } from './harness';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Filter?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const ISSUES = 6_000;
const COMMENTS = 30_000;

/**
 * Counts the rows that searches and filters read from large tables. `npm run bench -- lists`
 * measures the time.
 */
describe('lists and searches of a large company', () => {
  const harness = useHarness();
  let at: string;
  let issueId: string;
  let goalId: string;
  let agentId: string;
  let projectId: string;

  beforeAll(async () => {
    const { build, context } = harness;
    const issue = await build.issue({ labels: ['few', 'many'] });
    const { companyId } = issue;
    issueId = issue.id;
    at = `/api/companies/${companyId}`;
    goalId = (await build.goal({ companyId })).id;
    agentId = (await build.agent({ companyId })).id;
    projectId = (await build.project({ companyId })).id;
    const client = await context.db.pool.connect();
    await client.query('SET statement_timeout = 0');
    const words = `'word half' || n % 2 || ' hundredth' || n % 100 || ' filler' || hashint4(n) % 500`;
    await client.query(
      `INSERT INTO issue (id, company_id, issue_number, identifier, title, description, status, goal_id, parent_id, assignee_agent_id, project_id, updated_at, created_at)
       SELECT gen_random_uuid(), $1::uuid, 10 + n, 'LRG' || left(($1::uuid)::text, 4) || '-' || n, 'Issue ' || n, ${words},
         (ARRAY['backlog', 'todo', 'blocked'])[1 + n % 3],
         CASE WHEN n % 200 = 0 THEN $2::uuid END, CASE WHEN n % 300 = 0 THEN $3::uuid END,
         CASE WHEN n % 2 = 0 THEN $4::uuid END, CASE WHEN n % 2 = 1 THEN $5::uuid END,
         now() + hashint4(n) % 5000 * interval '1 second', now() + n * 5 * interval '1 second'
       FROM generate_series(1, ${ISSUES}) n`,
      [companyId, goalId, issueId, agentId, projectId],
    );
    await client.query(
      `INSERT INTO issue_comment (id, company_id, issue_id, body, author_user_id, created_at)
       SELECT gen_random_uuid(), $1::uuid, $2::uuid, ${words} || ' ten' || n % ${COMMENTS / 10}, 'local-board',
         now() + n * interval '1 second'
       FROM generate_series(1, ${COMMENTS}) n`,
      [companyId, issueId],
    );
    await client.query(
      `INSERT INTO issue_label (company_id, issue_id, label_id)
       SELECT $1::uuid, i.id, l.id FROM issue i JOIN label l ON l.company_id = i.company_id
       WHERE i.company_id = $1 AND i.issue_number % CASE l.name WHEN 'few' THEN 400 ELSE 2 END = 0
       ON CONFLICT DO NOTHING`,
      [companyId],
    );
    client.release(true);
    await foldSearchChanges(context);
    await harness.asOwner(
      'VACUUM ANALYZE search_change, issue, issue_comment, issue_label, search_entry',
    );
  });

  async function sentBy(path: string): Promise<{ text: string; values?: unknown[] }[]> {
    const client = await harness.context.db.pool.connect();
    const query = jest.spyOn(Object.getPrototypeOf(client), 'query');
    client.release();
    try {
      await harness.api.get(path).expect(200);
      return query.mock.calls.map(([first]) => first as { text: string; values: unknown[] });
    } finally {
      query.mockRestore();
    }
  }

  async function plansOf(path: string): Promise<PlanNode[][]> {
    const sent = await sentBy(path);
    const plans: PlanNode[][] = [];
    const client = await harness.context.db.pool.connect();
    // PostgreSQL correctly scans a table of a few megabytes. A lower random_page_cost makes it plan
    // as for a large table.
    await client.query('SET random_page_cost = 1');
    for (const [at, { text, values = [] }] of sent.entries()) {
      if (!/FROM (issue|search_entry)/.test(text)) continue;
      // The previous statement, a BEGIN, may contain the setting for a generic plan.
      const before = sent[at - 1]?.text ?? '';
      await client.query(before.startsWith('BEGIN;') ? before : 'BEGIN');
      await client.query(`PREPARE explained AS ${text}`);
      const literals = values.map((value) => literalOf(client, value));
      const { rows } = await client.query(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained(${literals.join(', ')})`,
      );
      await client.query('ROLLBACK; DEALLOCATE explained');
      plans.push(nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode));
    }
    client.release(true);
    return plans;
  }

  function literalOf(client: { escapeLiteral(text: string): string }, value: unknown): string {
    if (value === null || value === undefined) return 'NULL';
    if (Array.isArray(value)) return literalOf(client, `{${value.join(',')}}`);
    return client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  }

  const LARGE = ['issue', 'issue_comment', 'issue_label', 'search_entry'];

  const read = (nodes: PlanNode[]) =>
    nodes
      .filter((node) => LARGE.includes(node['Relation Name'] ?? '') && node['Actual Loops'] > 0)
      .map((node) => ({
        way: node['Node Type'],
        rows: (node['Actual Rows'] + passedOver(node)) * node['Actual Loops'],
      }));

  const passedOver = (node: PlanNode) =>
    Number((node as unknown as Record<string, number>)['Rows Removed by Filter'] ?? 0);

  const looksAgain = (node: PlanNode) =>
    node['Node Type'] === 'Subquery Scan' &&
    /(?<!title_)words @@/.test(node.Filter ?? '') &&
    node.Plans?.some((part) => part['Node Type'] === 'Bitmap Heap Scan');

  async function lookedThrough(words: string): Promise<string[]> {
    const { rows } = await harness.context.db.pool.query(
      `SELECT entity_id AS id FROM search_entry, websearch_to_tsquery('pg_catalog.simple', $1) query
       WHERE company_id = $2 AND words @@ query
       ORDER BY NOT coalesce(title_words @@ query, false), at DESC, entity_id DESC`,
      [words, at.split('/').at(-1)],
    );
    return rows.map(({ id }) => id);
  }

  it.each(['issue ', 'hundredth7 ', 'ten7 ', 'half1 hundredth7 ', 'filler42 '])(
    'return the same rows as a full scan, in the same order: search(%p)',
    async (words) => {
      const expected = await lookedThrough(words);
      const path = `${at}/search?q=${encodeURIComponent(words)}`;
      let cursor = '';
      for (let read = 0; read < Math.min(expected.length, 200); read += 50) {
        const { body, headers } = await harness.api.get(`${path}&limit=50${cursor}`).expect(200);
        expect(body.map(({ id }: { id: string }) => id)).toEqual(expected.slice(read, read + 50));
        cursor = `&cursor=${headers['x-next-cursor']}`;
      }
    },
  );

  it.each([
    ['word', 7_500],
    ['half1', 7_500],
    ['hundredth7', 8_500],
    ['ten7 ', 19_500],
    ['nothing', 19_500],
    ['"word half1"', 8_500],
    ['issue 42', 19_500],
    ['-word', 19_500],
  ])('read few rows, and scan no table sequentially: a search for %s', async (q, most) => {
    const plans = await plansOf(`${at}/search?q=${encodeURIComponent(q)}`);
    expect(plans).toHaveLength(1);
    const scans = read(plans.flat());
    expect(scans.filter(({ way }) => way === 'Seq Scan')).toEqual([]);
    expect(scans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(most);
    expect(plans.flat().filter(looksAgain)).toEqual([]);
  });

  it.each(['priority', 'updated', 'created', 'due'])(
    'read few rows, and scan no table sequentially, with any filter: a list sorted by %s',
    async (sort) => {
      const filters: [string, number][] = [
        ['', 600],
        ['status=todo', 600],
        [`goalId=${goalId}`, 1_000],
        [`parentId=${issueId}`, 1_000],
        [`assigneeAgentId=${agentId}&projectId=${projectId}`, 1_000],
        ['label=few', 1_000],
        ['label=many', 4_000],
        ['q=half1', 7_000],
        ['q=hundredth7%20', 7_000],
        ['q=nothing', 7_000],
        ['q=half1&label=many&status=todo', 9_000],
      ];
      for (const [filter, most] of filters) {
        const plans = await plansOf(`${at}/issues?limit=20&sort=${sort}&${filter}`);
        const scans = read(plans.flat());
        expect([filter, scans.filter(({ way }) => way === 'Seq Scan')]).toEqual([filter, []]);
        const rows = scans.reduce((sum, one) => sum + one.rows, 0);
        expect({ filter, isBounded: rows < most, rows }).toEqual({ filter, isBounded: true, rows });
      }
    },
  );

  it('read fewer than 60 rows for a page of 20 comments', async () => {
    const { body } = await harness.api.get(`/api/issues/${issueId}/comments?limit=500`).expect(200);
    for (const query of [
      '',
      'order=asc',
      `after=${body[400].id}`,
      `after=${body[400].id}&order=asc`,
    ]) {
      const plans = await plansOf(`/api/issues/${issueId}/comments?limit=20&${query}`);
      const scans = read(plans.flat());
      expect([query, scans.reduce((sum, { rows }) => sum + rows, 0) < 60]).toEqual([query, true]);
    }
  });

  it('need the same number of statements for many issues as for one', async () => {
    const asked = async (path: string) => (await sentBy(path)).length;
    for (const path of [
      `${at}/search?q=word`,
      `${at}/issues?sort=due`,
      `${at}/issues?q=half1`,
      `${at}/issues?label=many`,
      `${at}/labels`,
    ]) {
      const limited = path.includes('?') ? `${path}&limit=1` : `${path}?limit=1`;
      expect([path, await asked(path)]).toEqual([path, await asked(limited)]);
    }
    expect(await asked(`/api/issues/${issueId}`)).toBe(2);
  });
});
