// Usage: DATABASE_URL=… node packages/lab/bench/metrics/seed.mjs [rows, default 10000000]
// Fills a migrated metrics database with market rows of ten symbols, one every thirty seconds.
import pg from 'pg';

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'BNB', 'XRP', 'ADA', 'DOGE', 'AVAX', 'LINK', 'LTC'];
const STEP_SEC = 30;
const BATCH = 20_000;
const total = Number(process.argv[2] ?? 10_000_000);
const collections = Math.ceil(total / SYMBOLS.length);
// The pool of the services would end the statements that build an index after 20 s.
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
await client.query(
  `SET statement_timeout = 0; SET synchronous_commit = off; SET work_mem = '256MB';
   SET maintenance_work_mem = '512MB'`,
);
/**
 * Drops the indexes while `work` fills the table, because updating them for each row would take
 * most of the time.
 */
async function withoutIndexes(table, work) {
  const { rows } = await client.query(
    `SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop, pg_get_indexdef(indexrelid) AS make
     FROM pg_index WHERE indrelid = $1::regclass AND NOT indisunique
     UNION ALL
     SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'f'`,
    [table],
  );
  for (const { drop } of rows) await client.query(drop);
  await work();
  for (const { make } of rows) await client.query(make);
}

const start = new Date(Math.floor(Date.now() / 60_000) * 60_000 - collections * STEP_SEC * 1000);
const began = performance.now();
/** OFFSET 0 lets PostgreSQL compute each price once and not per column. */
async function fill() {
  for (let from = 0; from < collections; from += BATCH) {
    const to = Math.min(from + BATCH, collections) - 1;
    await client.query(
      `WITH made AS (
         INSERT INTO collection (collection_id, status, source, correlation_id, started_at, finished_at,
           request_hash, exchange, simulated, data_points, storage_status, duration_ms)
         SELECT 'seed_' || n, 'success', 'seed', 'seed', at, at, '', 'simulated', true, 10, 'committed', 40
         FROM generate_series($1::bigint, $2::bigint) AS n,
           LATERAL (SELECT $3::timestamptz + n * $4 * interval '1 second' AS at) AS place
         RETURNING id, started_at
       )
       INSERT INTO market_snapshot (collection_ref, captured_at, source_time, exchange, simulated, stale,
         symbol, last, bid, ask, mid, spread_abs, spread_bps, open_24h, high_24h, low_24h, change_pct_24h,
         base_volume_24h, quote_volume_24h)
       SELECT made.id, started_at, started_at, 'simulated', true, false, symbol || '/USDT', p, p - 0.5,
         p + 0.5, p, 1, 10000 / p, p, p + 5, p - 5, 0.1, 1000, 1000 * p
       FROM made, unnest($5::text[]) WITH ORDINALITY AS s (symbol, place),
         LATERAL (SELECT round((1000 * place + 50 * sin(extract(epoch FROM started_at)::float8 / 40000 + place)
           )::numeric, 2) AS p OFFSET 0) AS price
       ORDER BY made.started_at`,
      [from, to, start, STEP_SEC, SYMBOLS],
    );
    if ((from / BATCH) % 10 === 0) console.log(`${from} of ${collections} collections`);
  }
}
await withoutIndexes('market_snapshot', () => withoutIndexes('collection', fill));
for (const symbol of SYMBOLS) {
  const values = [`${symbol}/USDT`];
  await client.query(
    "INSERT INTO series VALUES ('market', $1, 'simulated', true) ON CONFLICT DO NOTHING",
    values,
  );
}
await client.query(
  "INSERT INTO series VALUES ('collection', '', 'simulated', true) ON CONFLICT DO NOTHING",
);
console.log(`seeded in ${((performance.now() - began) / 1000).toFixed(0)} s; analysing`);
await client.query('VACUUM ANALYZE market_snapshot');
await client.query('VACUUM ANALYZE collection');
await client.end();
