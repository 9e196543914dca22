import { bind, type Client } from '@switchyard/db';
import { ISSUE_SORTS, ISSUE_STATUSES, type IssueSort } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { startOf } from './issue-order';
import { plainListing } from './plain-listing';

/**
 * With this many rows PostgreSQL considers a generic plan more expensive than a plan for the
 * values.
 */
const LARGE = 50_000;
const TAKE = 51;

interface PlanNode {
  'Relation Name'?: string;
  Alias?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const rowsRead = (plan: PlanNode): number =>
  nodesOf(plan)
    .filter((node) => node['Relation Name'] === 'issue' && /^i(_\d+)?$/.test(node.Alias ?? ''))
    .reduce((sum, node) => {
      const { 'Actual Rows': rows, 'Actual Loops': loops } = node;
      return sum + (rows + (node['Rows Removed by Filter'] ?? 0)) * loops;
    }, 0);

const LISTS = [0, 1, 2, ISSUE_STATUSES.length].flatMap((statuses) =>
  ISSUE_SORTS.filter((sort) => statuses > 0 || sort === 'priority').map(
    (sort) => [sort, statuses] as const,
  ),
);

describe('the query for a list of issues without filters', () => {
  const harness = useHarness();
  let companyId: string;

  async function addIssues(companies: string, count: number) {
    const { asOwner } = harness;
    await asOwner('ALTER TABLE issue DISABLE TRIGGER USER');
    await asOwner(`
      INSERT INTO issue (id, company_id, issue_number, identifier, title, status, priority, priority_rank, created_at, updated_at)
      SELECT gen_random_uuid(), c.id, n, c.issue_prefix || '-' || n, 'Issue', s.status, 'medium', 2,
        now() - random() * interval '300 days', now() - random() * interval '300 days'
      FROM (${companies}) c, generate_series(1, ${count}) n,
        LATERAL (SELECT ('{${ISSUE_STATUSES}}'::text[])[1 + n % ${ISSUE_STATUSES.length}] AS status) s`);
    await asOwner('ALTER TABLE issue ENABLE TRIGGER USER');
    await asOwner('VACUUM ANALYZE issue');
  }

  beforeAll(async () => {
    companyId = (await harness.build.company()).id;
    await addIssues(`SELECT * FROM company WHERE id = '${companyId}'`, LARGE);
  });

  const askedFor = (sort: IssueSort, statuses: number) =>
    bind(plainListing(sort, statuses, { assignee: false, project: false }), {
      companyId,
      ...startOf(sort, null),
      take: TAKE,
      statuses: [...ISSUE_STATUSES].slice(0, statuses),
      assigneeAgentId: null,
      projectId: null,
    });

  async function onConnection<T>(work: (client: Pick<Client, 'query'>) => Promise<T>): Promise<T> {
    const client = await harness.context.db.pool.connect();
    return work(client).finally(() => client.release(true));
  }

  it.each(LISTS)(
    'reuses one generic plan when sorted by %s with %i statuses',
    async (sort, statuses) => {
      const asked = askedFor(sort, statuses);
      const { rows } = await onConnection(async (client) => {
        // PostgreSQL plans five times with the values before it considers a generic plan.
        for (let at = 0; at < 7; at++) await client.query(asked);
        const used =
          'SELECT generic_plans::int AS shared FROM pg_prepared_statements WHERE name = $1';
        return client.query(used, [asked.name]);
      });
      expect(rows).toEqual([{ shared: 2 }]);
    },
  );

  describe('a generic plan from statistics of companies with three issues each', () => {
    beforeAll(async () => {
      await harness.asOwner(`INSERT INTO company (id, name, issue_prefix)
        SELECT gen_random_uuid(), 'Small ' || n, 'P' || n FROM generate_series(1, 500) n`);
      await addIssues(`SELECT * FROM company WHERE id <> '${companyId}'`, 3);
    });

    it.each(LISTS)(
      'reads only one page of a large company when sorted by %s with %i statuses',
      async (sort, statuses) => {
        const { text, values } = askedFor(sort, statuses);
        const explain = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`;
        const { rows } = await onConnection(async (client) => {
          await client.query('SET plan_cache_mode = force_generic_plan');
          return client.query(explain, values);
        });
        const [{ Plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }];
        expect(rowsRead(Plan)).toBeGreaterThanOrEqual(TAKE);
        expect(rowsRead(Plan)).toBeLessThanOrEqual(TAKE + statuses);
      },
    );
  });
});
