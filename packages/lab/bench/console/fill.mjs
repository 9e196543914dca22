import { seed, sized } from '../lists/seed.mjs';

const LOG_MIB = 50;
const CHUNK_BYTES = 65_536;

export const fillConsole = (issues) => async (pool) => {
  const known = await seed(pool, {
    ...sized(issues, issues * 10),
    comments: issues * 2,
    agents: 400,
  });
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    await client.query('SET synchronous_commit = off');
    await client.query("SET maintenance_work_mem = '512MB'");
    await client.query(`DO $$ BEGIN
      IF current_setting('is_superuser')::boolean THEN SET session_replication_role = replica; END IF; END $$`);
    await client.query(SPENT, [known.company]);
    await client.query(TALLY);
    const { rows } = await client.query(FIRST_RUN, [known.company]);
    const [{ id: run }] = rows;
    const values = [run, known.company, (LOG_MIB * 2 ** 20) / CHUNK_BYTES, CHUNK_BYTES];
    await client.query(LOG, values);
    await client.query('UPDATE heartbeat_run SET log_bytes = $2 WHERE id = $1', [
      run,
      LOG_MIB * 2 ** 20,
    ]);
    await client.query('VACUUM (ANALYZE)');
    return { ...known, run };
  } finally {
    client.release(true);
  }
};

const SPENT = `
  INSERT INTO cost_event (id, source, company_id, agent_id, issue_id, run_id, provider, model, input_tokens, output_tokens,
    cost_cents, created_at, occurred_at)
  SELECT id, 'agent', company_id, agent_id, issue_id, id, 'provider-' || n % 3, 'model-' || n % 12, 1000 + n % 5000, n % 900, n % 40,
    finished_at, finished_at
  FROM (SELECT *, hashint4(hashtext(id::text)) & 65535 AS n FROM heartbeat_run
    WHERE company_id = $1 AND status = 'succeeded' ORDER BY created_at) run`;

const TALLY = `
  INSERT INTO agent_month (company_id, agent_id, month, cost_cents, input_tokens, output_tokens)
  SELECT company_id, agent_id, date_trunc('month', created_at AT TIME ZONE 'UTC')::date,
    sum(cost_cents), sum(input_tokens), sum(output_tokens)
  FROM cost_event GROUP BY 1, 2, 3`;

const FIRST_RUN = `
  SELECT id FROM heartbeat_run WHERE company_id = $1 AND status = 'failed' ORDER BY created_at DESC LIMIT 1`;

const LOG = `
  INSERT INTO run_log_chunk (company_id, run_id, start_offset, content)
  SELECT $2, $1, n * $4::int, convert_to(left(repeat(
    E'\\x1b[32m' || n || E'\\x1b[0m compiled /srv/app/src/features/orders/list-orders.ts in ' || n % 90 || E' ms\\n',
    2000), $4::int), 'UTF8')
  FROM generate_series(0, $3::int - 1) n`;
