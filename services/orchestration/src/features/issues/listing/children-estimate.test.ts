import { useHarness } from '../../../../test/harness';

describe('the query for the number of children of an issue', () => {
  const harness = useHarness();

  it('uses the index even if one parent has nearly all issues', async () => {
    const { asOwner, build, context } = harness;
    const parent = await build.issue();
    const { companyId } = parent;
    await asOwner(`
      INSERT INTO issue (id, company_id, issue_number, identifier, title, status, priority, priority_rank, parent_id)
      SELECT gen_random_uuid(), '${companyId}', 100 + n, 'KIDS-' || n, 'x', 'blocked', 'low', 3, '${parent.id}'
      FROM generate_series(1, 5000) n`);
    await asOwner('ANALYZE issue');
    const { rows } = await context.db.pool.query(`
      EXPLAIN SELECT i.id, (SELECT count(*) FROM issue x WHERE x.parent_id = i.id AND x.company_id = i.company_id)
      FROM (SELECT * FROM issue LIMIT 100) i`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const [, estimated] =
      /Scan using issue_list_of_parent on issue x .*rows=(\d+)/.exec(plan) ?? [];
    expect(Number(estimated)).toBeLessThan(100);
  });
});
