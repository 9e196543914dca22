import { type Harness, startHarness } from '../../test/harness';
import { NEWEST_TOTALS } from './newest-totals';

interface Plan {
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const readBy = (plan: Plan): number =>
  Math.max(
    plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0),
    ...(plan.Plans ?? []).map(readBy),
  );

describe('the query NEWEST_TOTALS', () => {
  let service: Harness;
  beforeAll(async () => {
    service = await startHarness();
    await service.rows(
      `WITH made AS (
         INSERT INTO collection (collection_id, status, source, correlation_id, started_at, request_hash, exchange, simulated)
         VALUES ('c', 'success', 's', 'c', now(), '', 'one', true) RETURNING id
       )
       INSERT INTO balance_snapshot (collection_ref, captured_at, exchange, simulated, stale, total_row, account_type, quote)
       SELECT id, now() - n * interval '1 minute', CASE n % 2 WHEN 0 THEN 'one' ELSE 'two' END, true, false, true, 'spot', 'USDT'
       FROM made, generate_series(1, 5000) AS n`,
    );
    await service.rows('ANALYZE balance_snapshot');
  });
  afterAll(() => service.close());

  it.each([
    ['a collected account', 'one', 1],
    ['an account that was never collected', 'never', 0],
  ])('reads at most one row for %s', async (_which, name, rows) => {
    const [explained] = await service.rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${NEWEST_TOTALS}`,
      [[name]],
    );
    const plan = explained?.['QUERY PLAN'][0].Plan as Plan;
    expect(plan['Actual Rows']).toBe(rows);
    expect(readBy(plan)).toBe(1);
  });
});
