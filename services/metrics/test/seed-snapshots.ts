import type { Pool } from '@switchyard/db';

export async function seedMarkets(
  pool: Pool,
  options: { symbol: string; start: string; stepMs: number; count: number; simulated?: boolean },
): Promise<void> {
  const { symbol, start, stepMs, count, simulated = true } = options;
  const exchange = simulated ? 'simulated' : 'binance';
  await pool.query(
    `WITH made AS (
       INSERT INTO collection (collection_id, status, source, correlation_id, started_at, request_hash,
         exchange, simulated, data_points, storage_status, duration_ms)
       SELECT $1::text || '_' || $6::boolean || '_' || n, 'success', 'seed', 'seed',
         $2::timestamptz + n * $3 * interval '1 millisecond', '', $5, $6::boolean, 1, 'committed', 10
       FROM generate_series(0, $4::int - 1) AS n RETURNING id, started_at
     ), numbered AS (
       SELECT *, row_number() OVER (ORDER BY started_at) - 1 AS n FROM made
     )
     INSERT INTO market_snapshot (collection_ref, captured_at, exchange, simulated, stale, symbol, last,
       bid, ask, mid, spread_abs, spread_bps)
     SELECT id, started_at, $5, $6::boolean, false, $1, 100 + n, 100 + n - 0.5, 100 + n + 0.5, 100 + n, 1, 10
     FROM numbered ORDER BY n`,
    [symbol, start, stepMs, count, exchange, simulated],
  );
  for (const [kind, key] of [
    ['market', symbol],
    ['collection', ''],
  ]) {
    await pool.query('INSERT INTO series VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
      kind,
      key,
      exchange,
      simulated,
    ]);
  }
}
