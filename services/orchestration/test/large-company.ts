import type { Harness } from './harness';

const [AGENTS, ISSUES, RUNS] = [500, 100_000, 1_000_000];

const FILL = [
  `INSERT INTO agent (id, company_id, name, name_key, role, adapter_type, status, wake_on_assignment)
   SELECT gen_random_uuid(), $1, 'Agent ' || n, 'agent ' || n, 'engineer', 'scripted', 'idle', true
   FROM generate_series(1, ${AGENTS}) n`,
  `CREATE TEMP TABLE staff AS
   SELECT id, row_number() OVER (ORDER BY name) - 1 AS at FROM agent WHERE company_id = $1`,
  `INSERT INTO issue (id, company_id, issue_number, identifier, title, status, assignee_agent_id, started_at)
   SELECT gen_random_uuid(), $1, n, 'BENCH-' || n, 'Issue ' || n,
     CASE WHEN n % 100 = 0 THEN 'in_progress' WHEN n % 100 = 1 THEN 'blocked' WHEN n % 100 = 2 THEN 'in_review'
       WHEN n % 100 < 20 THEN 'todo' WHEN n % 100 < 40 THEN 'backlog' ELSE 'cancelled' END,
     CASE WHEN n % 100 < 20 THEN staff.id END, CASE WHEN n % 100 = 0 THEN now() END
   FROM generate_series(1, ${ISSUES}) n JOIN staff ON staff.at = n % ${AGENTS}`,
  `CREATE TEMP TABLE work AS SELECT id, issue_number AS n FROM issue WHERE company_id = $1`,
  `INSERT INTO heartbeat_run (id, company_id, agent_id, issue_id, status, source, wake_reasons, created_at, started_at, finished_at)
   SELECT gen_random_uuid(), $1, staff.id, work.id, CASE WHEN n.n % 20 = 0 THEN 'failed' ELSE 'succeeded' END, 'manual',
     jsonb_build_array(jsonb_build_object('source', 'manual', 'reason', NULL, 'issueId', work.id, 'commentId', NULL,
       'payload', NULL, 'at', '2026-01-01T00:00:00.000Z')), made, made, made
   FROM generate_series(1, ${RUNS}) n JOIN staff ON staff.at = n.n % ${AGENTS} JOIN work ON work.n = 1 + n.n % ${ISSUES},
     LATERAL (SELECT now() - n.n * interval '5 seconds' AS made) at`,
  'ANALYZE',
];

export async function fillCompany({ context }: Pick<Harness, 'context'>, companyId: string) {
  const client = await context.db.pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    for (const sql of FILL) await client.query(sql, sql.includes('$1') ? [companyId] : []);
  } finally {
    client.release();
  }
}

const LOOKS = 20;

export async function printTimes({ api }: Pick<Harness, 'api'>, paths: readonly string[]) {
  for (const path of paths) {
    const times: number[] = [];
    for (let look = 0; look < LOOKS; look++) {
      const begin = performance.now();
      const { body } = await api.get(path).expect(200);
      times.push(performance.now() - begin);
      if (look === 0) process.stdout.write(`${JSON.stringify(body).slice(0, 600)}\n`);
    }
    times.sort((one, other) => one - other);
    const at = (share: number) => times[Math.floor(LOOKS * share)]?.toFixed(0);
    process.stdout.write(`${path}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
  }
}
