import type { Pool } from '@switchyard/db';
import { optionalDecimalText } from '../decimal';

const DAY = 86_400_000;

/**
 * How far equity is below its highest value of the last days, now and at its worst: by the last value of each hour, and by
 * every value of the hours that are not rolled up yet. What has no price is no value.
 */
export async function readDrawdown(
  pool: Pool,
  exchange: string,
  simulated: boolean,
  days: number,
  now: Date,
) {
  const { rows } = await pool.query<{
    peak: string;
    current: number;
    worst: number;
    worst_at: Date;
  }>(
    `WITH points AS (
       SELECT hour AS at, last AS equity FROM rollup_hour
       WHERE kind = 'balance' AND key = '' AND metric = 'equity' AND exchange = $1 AND simulated = $2 AND hour >= $3
       UNION ALL
       SELECT captured_at, total_equity FROM balance_snapshot
       WHERE asset IS NULL AND total_equity IS NOT NULL AND exchange = $1 AND simulated = $2
         AND captured_at >= greatest($3, (SELECT complete_until FROM rollup_progress WHERE kind = 'balance'))
     ), fallen AS (
       SELECT at, max(equity) OVER (ORDER BY at) AS peak,
         1 - equity / nullif(max(equity) OVER (ORDER BY at), 0) AS drop
       FROM points
     )
     SELECT last.peak::text, last.drop::float8 AS current, worst.drop::float8 AS worst, worst.at AS worst_at
     FROM (SELECT * FROM fallen ORDER BY at DESC LIMIT 1) AS last,
       (SELECT * FROM fallen WHERE drop IS NOT NULL ORDER BY drop DESC, at LIMIT 1) AS worst`,
    [exchange, simulated, new Date(now.getTime() - days * DAY)],
  );
  const [row] = rows;
  return {
    peak: optionalDecimalText(row?.peak),
    current: row?.current ?? null,
    worst: row?.worst ?? null,
    worst_at: row?.worst_at.toISOString() ?? null,
  };
}
