import { until } from '@switchyard/testing';
import { useSearch } from '../../../test/searching';

const LARGE = 20_000;

const COUNTS = `
  SELECT t.seq_scan::int AS "tableScans", i.idx_scan::int AS scans, i.idx_tup_read::int AS read
  FROM pg_stat_user_tables t JOIN pg_stat_user_indexes i USING (relid)
  WHERE t.relname = 'search_entry' AND i.indexrelname LIKE '%_company_id_kind_%'`;

describe('the shared query plan of searches', () => {
  const { harness, idsOf } = useSearch();

  it('reads only the newest entries, even for a company that is much larger than others', async () => {
    const { asOwner, build, context } = harness;
    const counts = async () => {
      type Counts = Record<'tableScans' | 'scans' | 'read', number>;
      return (await context.db.pool.query<Counts>(COUNTS)).rows[0] as Counts;
    };
    const { id: large } = await build.company();
    const enter = (companies: string, count: number) =>
      asOwner(`
        INSERT INTO search_entry (company_id, kind, entity_id, at, words)
        SELECT company, 'comment', gen_random_uuid(), now() - n * interval '1 minute',
          array_to_tsvector(ARRAY['hay', 'comment/' || company])
        FROM (${companies}) AS of(company), generate_series(1, ${count}) n`);
    await enter(`SELECT gen_random_uuid() FROM generate_series(1, 300)`, 50);
    await enter(`SELECT '${large}'::uuid`, LARGE);
    await asOwner('VACUUM ANALYZE search_entry');
    const before = await counts();
    expect(await idsOf(large, 'needle')).toEqual([]);
    const after = await until('the counts of the search', async () => {
      const now = await counts();
      return now.scans > before.scans ? now : null;
    });
    expect(after.tableScans).toBe(before.tableScans);
    expect(after.read - before.read).toBeLessThan(LARGE / 2);
  });
});
