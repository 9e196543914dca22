import { buildCompany, freePort } from '../shared/build-company.mjs';
import { environmentOf, forgetKeys, startProcess } from '../shared/processes.mjs';
import { scratchDatabase } from '../shared/scratch.mjs';

const WORKERS = 4;
const ROUTINES = 10;
const TRIGGERS = 1_000;
const ROUNDS = 5;
const AHEAD_MS = 1_500;
const MAX_LAG_MS = 1_000;

const MAKE = `
  INSERT INTO routine_trigger (id, company_id, routine_id, kind, cron_expression, timezone)
  SELECT gen_random_uuid(), r.company_id, r.id, 'schedule', '0 0 1 1 *', 'UTC'
  FROM routine r, generate_series(1, ${TRIGGERS / ROUTINES})`;
const MAKE_DUE = `UPDATE routine_trigger SET next_run_at = date_trunc('milliseconds',
  clock_timestamp() + ${AHEAD_MS} * interval '1 ms')`;
const FORGET = ['DELETE FROM agent_wakeup', 'TRUNCATE activity', 'DELETE FROM routine_run'];

const lag = (share) => `percentile_disc(${share}) WITHIN GROUP
  (ORDER BY extract(epoch FROM triggered_at - scheduled_for) * 1000)::float8`;
const FOUND = `
  SELECT count(*)::int AS runs, count(DISTINCT trigger_id)::int AS triggers,
    count(*) FILTER (WHERE status = 'pending')::int AS pending, ${lag(0.5)} AS p50, ${lag(0.99)} AS p99,
    extract(epoch FROM clock_timestamp() - min(scheduled_for))::float8 * 1000 AS since
  FROM routine_run`;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function fireAll(pool) {
  for (const statement of FORGET) await pool.query(statement);
  await pool.query(MAKE_DUE);
  const deadline = performance.now() + 60_000;
  for (;;) {
    await pause(100);
    const { rows } = await pool.query(FOUND);
    const [found] = rows;
    if ((found.runs >= TRIGGERS && found.pending === 0) || performance.now() > deadline)
      return found;
  }
}

async function makeTriggers(pool, environment) {
  const port = String(await freePort());
  const api = await startProcess('api', { ...environment, API_PORT: port });
  try {
    const { routine } = await buildCompany(`http://127.0.0.1:${port}/api`);
    for (let made = 0; made < ROUTINES; made++) await routine({});
  } finally {
    await api.stop();
  }
  await pool.query(MAKE);
}

export async function bench(serverUrl) {
  const prefix = `bench${process.pid}`;
  const database = await scratchDatabase(serverUrl, 'firings');
  const pool = database.open();
  const workers = [];
  let passed = true;
  try {
    const environment = { ...environmentOf(database.url, prefix), DATABASE_POOL_SIZE: '8' };
    await makeTriggers(pool, environment);
    for (let at = 0; at < WORKERS; at++) workers.push(await startProcess('worker', environment));
    for (let round = 0; round < ROUNDS; round++) {
      const { runs, triggers, p50, p99, since } = await fireAll(pool);
      const isExact = runs === TRIGGERS && triggers === TRIGGERS;
      if (!isExact || p99 > MAX_LAG_MS) passed = false;
      console.log(
        `${WORKERS} workers: ${runs} runs of ${triggers} triggers; claimed after p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms; all fired after ${Math.round(since)} ms`,
      );
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    await pool.end();
    await database.drop();
    await forgetKeys(prefix);
  }
  return passed;
}
