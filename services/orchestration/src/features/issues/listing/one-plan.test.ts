import { bind } from '@switchyard/db';
import { ISSUE_SORTS, ISSUE_STATUSES } from '@switchyard/types';
import { useHarness } from '../../../../test/harness';
import { startOf } from './issue-order';
import { plainListing } from './plain-listing';

const LARGE = 7_000;
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

/** How many rows of the list itself a plan has read; its facts are looked up in rows by other names. */
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

describe('the one plan of a list of issues', () => {
  const harness = useHarness();
  let companyId: string;

  /** Of three issues each most companies are, and of a thousand times as many the one that is asked. */
  beforeAll(async () => {
    const { asOwner, build } = harness;
    companyId = (await build.company()).id;
    await asOwner('ALTER TABLE issue DISABLE TRIGGER USER');
    await asOwner(`INSERT INTO company (id, name, issue_prefix)
      SELECT gen_random_uuid(), 'Small ' || n, 'P' || n FROM generate_series(1, 500) n`);
    await asOwner(`
      INSERT INTO issue (id, company_id, issue_number, identifier, title, status, priority, priority_rank, created_at, updated_at)
      SELECT gen_random_uuid(), c.id, n, c.issue_prefix || '-' || n, 'Issue', s.status, 'medium', 2,
        now() - random() * interval '300 days', now() - random() * interval '300 days'
      FROM company c, generate_series(1, CASE c.id WHEN '${companyId}' THEN ${LARGE} ELSE 3 END) n,
        LATERAL (SELECT ('{${ISSUE_STATUSES}}'::text[])[1 + n % ${ISSUE_STATUSES.length}] AS status) s`);
    await asOwner('ALTER TABLE issue ENABLE TRIGGER USER');
    await asOwner('VACUUM ANALYZE issue');
  });

  it.each(LISTS)('by %s, of %i statuses', async (sort, statuses) => {
    const listing = plainListing(sort, statuses, { assignee: false, project: false });
    const asked = bind(listing, {
      companyId,
      ...startOf(sort, null),
      take: TAKE,
      statuses: [...ISSUE_STATUSES].slice(0, statuses),
      assigneeAgentId: null,
      projectId: null,
    });
    const client = await harness.context.db.pool.connect();
    try {
      // Five times PostgreSQL plans for the values, before it looks at what one plan for all would cost.
      for (let at = 0; at < 7; at++) await client.query(asked);
      const { rows } = await client.query(
        'SELECT generic_plans::int AS shared FROM pg_prepared_statements WHERE name = $1',
        [asked.name],
      );
      expect(rows).toEqual([{ shared: 2 }]);

      await client.query('SET plan_cache_mode = force_generic_plan');
      const explain = `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${asked.text}`;
      const { rows: explained } = await client.query(explain, asked.values);
      const [{ Plan }] = explained[0]['QUERY PLAN'] as [{ Plan: PlanNode }];
      // Of each status one more than was taken of it.
      expect(rowsRead(Plan)).toBeGreaterThanOrEqual(TAKE);
      expect(rowsRead(Plan)).toBeLessThanOrEqual(TAKE + statuses);
    } finally {
      client.release(true);
    }
  });
});
