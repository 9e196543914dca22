const COMPANY = '00000000-0000-7000-8000-000000000001';

/** Ids that grow with `n`, as those of version 7 do; `kind` keeps the tables apart. */
const idOf = (kind, n) =>
  `('00000000-0000-7000-8${kind}00-' || lpad(to_hex((${n})::int), 12, '0'))::uuid`;
/** One row each second, so that the order by time is the order of `n`. */
const timeOf = (n, size) => `now() - (${size} - (${n})) * interval '1 second'`;

/** A tenth of a per cent is in work, most is over: as in a company that is some years old. */
const ISSUE_STATUS = `CASE WHEN h < 600 THEN 'done' WHEN h < 700 THEN 'cancelled' WHEN h < 850 THEN 'backlog'
  WHEN h < 940 THEN 'todo' WHEN h < 970 THEN 'in_review' WHEN h < 999 THEN 'blocked' ELSE 'in_progress' END`;
const RUN_STATUS = `CASE WHEN h < 850 THEN 'succeeded' WHEN h < 930 THEN 'failed' WHEN h < 960 THEN 'timed_out'
  ELSE 'cancelled' END`;
/** Spreads `n` over 0 to 999 without a pattern that an index could have by chance. */
const HASH = `(hashint4(n) & 2147483647) % 1000 AS h`;
/** One agent and one project have a fifth of everything. */
const AGENT = `CASE WHEN n % 5 = 0 THEN 1 ELSE 2 + n % (:agents - 1) END`;
const PROJECT = `CASE WHEN n % 5 = 1 THEN 1 ELSE 2 + n % (:projects - 1) END`;
const RANK = `hashint4(n + 7) & 3`;

const STATEMENTS = [
  // Seeding takes longer than any request may.
  'SET statement_timeout = 0',
  `INSERT INTO company (id, name, issue_prefix, issue_counter)
   VALUES ('${COMPANY}', 'Bench', 'BEN', :issues)`,
  `INSERT INTO agent (id, company_id, name, role, adapter_type, created_at)
   SELECT ${idOf(1, 'n')}, '${COMPANY}', 'Agent ' || n, 'engineer', 'process', ${timeOf('n', ':agents')}
   FROM generate_series(1, :agents) n`,
  `INSERT INTO project (id, company_id, name)
   SELECT ${idOf(2, 'n')}, '${COMPANY}', 'Project ' || n FROM generate_series(1, :projects) n`,
  `INSERT INTO issue (id, company_id, issue_number, identifier, title, description, status, priority,
     priority_rank, assignee_agent_id, project_id, created_at)
   SELECT ${idOf(3, 'n')}, '${COMPANY}', n, 'BEN-' || n, 'Issue ' || n, repeat('text ', 100), ${ISSUE_STATUS},
     (ARRAY['critical', 'high', 'medium', 'low'])[(${RANK}) + 1], ${RANK},
     ${idOf(1, AGENT)}, ${idOf(2, PROJECT)}, ${timeOf('n', ':issues')}
   FROM (SELECT n, ${HASH} FROM generate_series(1, :issues) n) s`,
  // Half of all comments stand at one issue; of runs and records each issue has a number that does not grow.
  `INSERT INTO issue_comment (id, company_id, issue_id, body, author_agent_id, created_at)
   SELECT ${idOf(4, 'n')}, '${COMPANY}', ${idOf(3, 'CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n % :issues END')},
     repeat('word ', 40), ${idOf(1, AGENT)}, ${timeOf('n', ':comments')}
   FROM generate_series(1, :comments) n`,
  `INSERT INTO heartbeat_run (id, company_id, agent_id, status, source, issue_id, started_at, finished_at,
     created_at)
   SELECT ${idOf(5, 'n')}, '${COMPANY}', ${idOf(1, AGENT)}, ${RUN_STATUS}, 'manual',
     ${idOf(3, 'CASE WHEN n % (:runs / 1000) = 0 THEN 1 ELSE 1 + n % :issues END')}, now(), now(), ${timeOf('n', ':runs')}
   FROM (SELECT n, ${HASH} FROM generate_series(1, :runs) n) s`,
  `INSERT INTO heartbeat_run (id, company_id, agent_id, status, source)
   SELECT ${idOf(6, 'n')}, '${COMPANY}', ${idOf(1, 'n')}, 'queued', 'manual' FROM generate_series(1, 20) n`,
  `INSERT INTO activity (id, company_id, actor_type, actor_id, action, entity_type, entity_id, created_at)
   SELECT ${idOf(7, 'n')}, '${COMPANY}', 'agent', ${idOf(1, AGENT)}::text,
     CASE WHEN n % 1000 = 0 THEN 'agent.paused' WHEN n % 10 = 0 THEN 'issue.commented' ELSE 'issue.updated' END,
     CASE WHEN n % 1000 = 0 THEN 'agent' ELSE 'issue' END,
     CASE WHEN n % 1000 = 0 THEN ${idOf(1, AGENT)} WHEN n % (:activities / 2000) = 1 THEN ${idOf(3, '1')}
       ELSE ${idOf(3, '1 + n % :issues')} END,
     ${timeOf('n', ':activities')}
   FROM generate_series(1, :activities) n`,
  'VACUUM ANALYZE',
];

/** Fills one company; answers the ids that the requests name. */
export async function seed(pool, size) {
  for (const statement of STATEMENTS) {
    await pool.query(statement.replace(/(?<!:):([a-z]+)\b/g, (_, name) => String(size[name])));
  }
  const {
    rows: [ids],
  } = await pool.query(`SELECT ${idOf(1, '1')} AS "bigAgent", ${idOf(1, '77')} AS "smallAgent",
    ${idOf(2, '1')} AS "bigProject", ${idOf(2, '7')} AS "smallProject", ${idOf(3, '1')} AS issue`);
  return { company: COMPANY, ...ids };
}
