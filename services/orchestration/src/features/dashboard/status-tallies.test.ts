import { newId } from '@switchyard/db';
import fc from 'fast-check';
import { useHarness } from '../../../test/harness';
import { foldStatusChanges } from './fold-status-changes';

const ISSUE_STATUSES = ['backlog', 'todo', 'in_review', 'blocked', 'done', 'cancelled'];
const RUN_STATUSES = ['running', 'succeeded', 'failed', 'cancelled', 'timed_out'];

const COUNTS = `
  SELECT 'issue' AS counted, NULL AS day, status, count(*)::int AS n FROM issue WHERE company_id = $1 GROUP BY status
  UNION ALL
  SELECT 'heartbeat_run', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), status, count(*)::int
  FROM heartbeat_run WHERE company_id = $1 AND status NOT IN ('queued', 'running') GROUP BY 2, 3
  UNION ALL
  SELECT 'run_failure', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'), coalesce(error_code, 'unknown'), count(*)::int
  FROM heartbeat_run WHERE company_id = $1 AND status IN ('failed', 'timed_out') GROUP BY 2, 3
  ORDER BY 1, 2, 3`;

const TALLIES = `
  SELECT counted, CASE WHEN counted <> 'issue' THEN to_char(day, 'YYYY-MM-DD') END AS day, status, sum(n)::int AS n
  FROM (SELECT company_id, counted, day, status, n FROM status_tally
    UNION ALL SELECT company_id, counted, day, status, n FROM status_change) part
  WHERE company_id = $1 GROUP BY 1, 2, 3 HAVING sum(n) <> 0 ORDER BY 1, 2, 3`;

const SET_RUN = `
  UPDATE heartbeat_run SET status = $2, finished_at = CASE WHEN $2 <> 'running' THEN now() END,
    started_at = now(), lease_expires_at = now() + interval '1 day',
    error_code = CASE WHEN status = $2 THEN error_code WHEN $2 = 'timed_out' THEN 'timeout' END
  WHERE id = $1`;

type Step =
  | { do: 'fold' }
  | { do: 'insert'; table: 'issue' | 'heartbeat_run'; status: string; daysAgo: number }
  | { do: 'set'; table: 'issue' | 'heartbeat_run'; status: string; at: number; keep: boolean }
  | { do: 'delete'; table: 'issue' | 'heartbeat_run'; at: number };

const table = fc.constantFrom('issue' as const, 'heartbeat_run' as const);
const status = fc.constantFrom(...ISSUE_STATUSES, ...RUN_STATUSES);
const at = fc.nat(99);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('fold' as const) }),
    fc.record({ do: fc.constant('insert' as const), table, status, daysAgo: fc.nat(13) }),
    fc.record({ do: fc.constant('set' as const), table, status, at, keep: fc.boolean() }),
    fc.record({ do: fc.constant('delete' as const), table, at }),
  ),
  { minLength: 5, maxLength: 40 },
);

describe('status totals', () => {
  const harness = useHarness();
  const query = (sql: string, values: unknown[] = []) => harness.context.db.pool.query(sql, values);
  const fold = () => foldStatusChanges(harness.context);
  let number = 0;

  const insertIssue = (companyId: string, to: string) => {
    number++;
    return query(
      `INSERT INTO issue (id, company_id, issue_number, identifier, title, status)
       VALUES ($1, $2, $3, $4, 'x', $5)`,
      [newId(), companyId, 1_000 + number, `TALLY-${number}`, to],
    );
  };

  const insertRun = (companyId: string, agentId: string, to: string, daysAgo: number) =>
    query(
      `INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, started_at, finished_at, created_at,
         lease_expires_at, error_code)
       VALUES ($1, $2, $3, $4, 'manual', now(), CASE WHEN $4 <> 'running' THEN now() END,
         now() - $5 * interval '1 day', now() + interval '1 day',
         CASE WHEN $4 = 'failed' AND $5::int % 2 = 0 THEN 'adapter_exit' END)`,
      [newId(), companyId, agentId, to, daysAgo],
    );

  const pick = async (companyId: string, from: string, index: number) => {
    const { rows } = await query(
      `SELECT id, status FROM ${from} WHERE company_id = $1 ORDER BY id`,
      [companyId],
    );
    return (rows[index % Math.max(1, rows.length)] ?? null) as {
      id: string;
      status: string;
    } | null;
  };

  const take = async (companyId: string, agentId: string, step: Step) => {
    if (step.do === 'fold') return fold();
    const all = step.table === 'issue' ? ISSUE_STATUSES : RUN_STATUSES;
    if (step.do === 'insert') {
      const to = all.includes(step.status) ? step.status : (all[0] as string);
      if (step.table === 'issue') return insertIssue(companyId, to);
      return insertRun(companyId, agentId, to, step.daysAgo);
    }
    const row = await pick(companyId, step.table, step.at);
    if (!row) return;
    if (step.do === 'delete') return query(`DELETE FROM ${step.table} WHERE id = $1`, [row.id]);
    const to = step.keep || !all.includes(step.status) ? row.status : step.status;
    if (step.table === 'issue')
      return query('UPDATE issue SET status = $2 WHERE id = $1', [row.id, to]);
    return query(SET_RUN, [row.id, to]);
  };

  it('equal the actual counts after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const { id: agentId, companyId } = await harness.build.agent();
        for (const step of history) await take(companyId, agentId, step);
        const counts = (await query(COUNTS, [companyId])).rows;
        expect((await query(TALLIES, [companyId])).rows).toEqual(counts);
        await fold();
        expect((await query(TALLIES, [companyId])).rows).toEqual(counts);
      }),
      { numRuns: 25, seed: 20_261_122 },
    );
    expect((await query('SELECT 1 FROM status_change')).rows).toEqual([]);
  });

  it('include all committed rows and no rolled-back rows when several workers update the totals concurrently', async () => {
    const { id: companyId } = await harness.build.company();
    const client = await harness.context.db.pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO issue (id, company_id, issue_number, identifier, title) VALUES ($1, $2, 1, $3, 'x')`,
      [newId(), companyId, `GONE-${companyId}`],
    );
    const writes = Array.from({ length: 60 }, (_, n) =>
      insertIssue(companyId, n % 2 ? 'todo' : 'done'),
    );
    await Promise.all([...writes, fold(), fold(), fold()]);
    await client.query('ROLLBACK');
    client.release();
    await Promise.all([fold(), fold(), fold()]);
    const counts = (await query(COUNTS, [companyId])).rows;
    expect(counts).toHaveLength(2);
    expect((await query(TALLIES, [companyId])).rows).toEqual(counts);
  });

  it('exclude days that are older than the days on the dashboard', async () => {
    const { id: agentId, companyId } = await harness.build.agent();
    await insertRun(companyId, agentId, 'failed', 40);
    await insertRun(companyId, agentId, 'failed', 1);
    await query(
      `INSERT INTO status_tally VALUES ($1, 'heartbeat_run', current_date - 60, 'failed', 3),
         ($1, 'run_failure', current_date - 60, 'timeout', 3)`,
      [companyId],
    );
    await fold();
    const { rows } = await query(
      'SELECT status, n FROM status_tally WHERE company_id = $1 ORDER BY status',
      [companyId],
    );
    expect(rows).toEqual([
      { status: 'failed', n: 1 },
      { status: 'unknown', n: 1 },
    ]);
  });
});
