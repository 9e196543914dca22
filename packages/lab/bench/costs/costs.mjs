import { serve } from '../guarantees/serve.mjs';
import { seed, sized } from '../lists/seed.mjs';
import { explain, percentile, timed } from '../shared/measure.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';

const ISSUES = 10_000;
const RUNS = 100_000;
const REQUESTS = 20;

const SEED = `
  INSERT INTO cost_event (id, source, company_id, agent_id, issue_id, project_id, run_id, provider, model,
    input_tokens, output_tokens, cost_cents, unpriced, occurred_at, created_at)
  SELECT ('00000000-0000-7000-8900-' || lpad(to_hex(n), 12, '0'))::uuid, 'agent', r.company_id, r.agent_id,
    CASE WHEN n % 5 > 0 THEN i.id END, i.project_id, CASE WHEN n % 7 > 0 THEN r.id END,
    'provider-' || n % 3, 'model-' || CASE WHEN n % 100000 = 17 THEN 99 ELSE n % 12 END,
    1000 + n % 5000, n % 900, CASE WHEN n % 50 = 0 THEN 0 ELSE n % 40 END, n % 50 = 0, at, at
  FROM (SELECT n, now() - ($1::int - n) * interval '365 days' / $1::int AS at
    FROM generate_series(1, $1::int) n) e
  JOIN (SELECT *, row_number() OVER (ORDER BY id) AS nth FROM heartbeat_run) r
    ON r.nth = 1 + n % (SELECT count(*) FROM heartbeat_run)
  JOIN (SELECT *, row_number() OVER (ORDER BY id) AS nth FROM issue) i
    ON i.nth = 1 + n % (SELECT count(*) FROM issue)
  ORDER BY n`;

const WEEK = `
  INSERT INTO cost_event (id, source, company_id, agent_id, provider, model, input_tokens, output_tokens, cost_cents, occurred_at,
    created_at)
  SELECT gen_random_uuid(), 'agent', company_id, id, 'provider-1', 'model-' || n % 2, 1000, 100, n % 40, at, at
  FROM (SELECT *, now() - n * interval '7 days' / 350 AS at FROM agent, generate_series(0, 349) n) e
  WHERE company_id = $1 ORDER BY at`;

const WATCHED = ['costs/summary', 'costs/by-agent', 'costs/limits', 'overview'];
const WATCHED_P95_MS = 20;

const TALLY = `
  INSERT INTO agent_month (company_id, agent_id, month, cost_cents, input_tokens, output_tokens)
  SELECT company_id, agent_id, date_trunc('month', created_at AT TIME ZONE 'UTC')::date,
    sum(cost_cents), sum(input_tokens), sum(output_tokens)
  FROM cost_event GROUP BY 1, 2, 3`;

const BUDGETS = `
  UPDATE agent SET budget_monthly_cents = 1 + abs(hashtext(id::text)) % 200000
  WHERE hashtext(name) % 2 = 0`;

const fill = (events) => async (pool) => {
  const known = await seed(pool, sized(ISSUES, RUNS));
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0; SET synchronous_commit = off');
    await client.query(SEED, [events]);
    await client.query(WEEK, [known.company]);
    await client.query(TALLY);
    await client.query(BUDGETS);
    await client.query('VACUUM (ANALYZE) cost_event');
    await client.query('VACUUM (ANALYZE) cost_day');
    await client.query('VACUUM (ANALYZE) agent_month');
    const { rows } = await client.query(
      'SELECT run_id FROM cost_event WHERE run_id IS NOT NULL LIMIT 1',
    );
    return { ...known, run: rows[0].run_id };
  } finally {
    client.release(true);
  }
};

function requestsOf({ company, smallAgent, issue, run }) {
  const at = `/api/companies/${company}`;
  const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const year = `from=${day(365)}&to=${day(-1)}`;
  const month = `month=${day(40).slice(0, 7)}`;
  const reports = ['summary', 'by-agent', 'by-project', 'by-day', 'by-provider', 'by-model'];
  return [
    ...[...reports, 'by-issue', 'by-run'].flatMap((report) =>
      ['', month, year].map((query) => `${at}/costs/${report}?${query}`),
    ),
    `${at}/costs/limits`,
    `${at}/overview`,
    `${at}/cost-events`,
    `${at}/cost-events?agentId=${smallAgent}`,
    `${at}/cost-events?issueId=${issue}`,
    `${at}/cost-events?runId=${run}`,
    `${at}/cost-events?model=model-99`,
    `${at}/cost-events?model=unheard-of`,
    `${at}/cost-events?provider=provider-1&from=${day(40)}`,
  ];
}

async function measure(server, path) {
  const url = `${server.url}${path}`;
  await timed(url);
  server.statements.length = 0;
  const { rows } = await timed(url);
  const asked = server.statements
    .splice(0)
    .filter(({ text }) => /\bcost_(?:event|day)\b/.test(text));
  const scans = new Set();
  for (const statement of asked) {
    for (const scan of (await explain(server.pool, statement)).scans) scans.add(scan);
  }
  const times = [];
  for (let n = 0; n < REQUESTS; n++) times.push((await timed(url)).ms);
  server.statements.length = 0;
  return {
    rows,
    statements: asked.length,
    scans: [...scans].filter((scan) => /cost_(?:event|day)/.test(scan)),
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  };
}

/**
 * Measures reports over a year of `scale` events and 350,000 more in the last week. Returns true if
 * no report scans the table and the frequent reports meet their time limit.
 */
export async function bench(serverUrl, { scale }) {
  console.log(`seeding ${scale} cost events …`);
  const database = await scratchDatabase(serverUrl, 'costs', { fill: fill(scale) });
  const server = await serve(database.url);
  const missed = [];
  try {
    const sizes = await server.pool.query(
      `SELECT pg_size_pretty(pg_relation_size('cost_event')) AS events,
         pg_size_pretty(pg_relation_size('cost_event_reported')) AS reported,
         pg_size_pretty(pg_relation_size('cost_event_of_issue')) AS of_issue,
         pg_size_pretty(pg_relation_size('cost_event_company_id_run_id_idx')) AS of_run`,
    );
    console.log(sizes.rows[0]);
    console.log(
      '\nrequest (p50 and p95 in ms, rows, statements on events and their days, what they scan)\n',
    );
    for (const path of requestsOf(database.known)) {
      const { rows, statements, scans, p50, p95 } = await measure(server, path);
      const ms = (value) => value.toFixed(1).padStart(8);
      const title = path.replace(/^\/api\/companies\/[^/]+\//, '').padEnd(62);
      console.log(
        `${title}${ms(p50)}${ms(p95)} ${String(rows).padStart(4)} ${statements} ${scans}`,
      );
      const isWatched = WATCHED.some((one) => path.replace(/\?$/, '').endsWith(`/${one}`));
      if (isWatched && p95 > WATCHED_P95_MS) missed.push(`${path}: p95 above ${WATCHED_P95_MS} ms`);
      if (scans.some((scan) => scan.startsWith('SEQ SCAN')))
        missed.push(`${path}: reads the table`);
    }
  } finally {
    await server.close();
    await database.drop();
  }
  console.log(
    missed.length > 0
      ? `\nmissed:\n${missed.join('\n')}`
      : '\nno report scans the table or exceeds its limit',
  );
  return missed.length === 0;
}
