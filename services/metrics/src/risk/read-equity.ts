import type { Pool } from '@switchyard/db';
import { togetherName } from '../exchange/owner';

const DAY = 86_400_000;

export interface EquityPoint {
  at: Date;
  equity: string;
  first?: string | null;
  low?: string | null;
  high?: string | null;
}

export interface Flow {
  shown_at: Date;
  type: 'deposit' | 'withdrawal';
  value: string | null;
}

export interface AccountFlow extends Flow {
  exchange: string;
  asset: string;
  amount: string;
  counted_at: Date;
}

interface Known {
  known_from: Date;
  known_until: Date;
}

export interface EquitySeries<Moved extends Flow = Flow> {
  points: readonly EquityPoint[];
  flows: readonly Moved[];
  known: Known | null;
}

interface Owners {
  names: readonly string[];
  simulated: boolean;
  quote: string;
}

/**
 * Reads the summed equity of several accounts. For rolled-up hours without transfers, returns one
 * value per hour; for all other times, every snapshot. Starts at the first time with known
 * transfers, or after the latest total in another quote currency if that is later.
 */
export async function readEquity(
  pool: Pool,
  { names, simulated, quote }: Owners,
  days: number,
  now: Date,
): Promise<EquitySeries<AccountFlow>> {
  const { rows: progress } = await pool.query<Known>(KNOWN, [names, simulated]);
  const known = progress[0] ?? null;
  const since = new Date(Math.max(now.getTime() - days * DAY, known?.known_from.getTime() ?? 0));
  const { rows: flows } = known
    ? await pool.query<AccountFlow>(FLOWS, [names, simulated, since, quote])
    : { rows: [] };
  const moments = [since, ...flows.map(({ shown_at }) => shown_at)];
  const { rows } = await pool.query<EquityPoint & { quote: string }>(POINTS, [
    ...[names, simulated, since, moments, togetherName(names)],
  ]);
  const other = rows.findLast((point) => point.quote !== quote);
  const points = rows.filter(({ at }) => !other || at > other.at);
  const [start] = points;
  return { points, flows: flows.filter(({ shown_at }) => start && shown_at > start.at), known };
}

const KNOWN = `
  SELECT max(known_from) AS known_from, min(known_until) AS known_until
  FROM transfer_progress WHERE exchange = ANY($1) AND simulated = $2 HAVING count(*) = cardinality($1)`;

const POINTS = `
  WITH rolled AS (
    SELECT max(complete_until) AS until FROM rollup_progress WHERE kind = 'equity'
  ), span AS (
    SELECT greatest($3, until) AS low, 'infinity'::timestamptz AS high FROM rolled
    UNION ALL
    SELECT greatest($3, hour), hour + interval '1 hour' FROM rolled, (
      SELECT DISTINCT date_bin('1 hour', at, 'epoch'::timestamptz) AS hour FROM unnest($4::timestamptz[]) AS at
    ) AS fine WHERE hour < until
  ), snapshot AS (
    SELECT s.captured_at AS at, s.quote, sum(s.total_equity) AS equity
    FROM span JOIN balance_snapshot s ON s.captured_at >= span.low AND s.captured_at < span.high
    WHERE s.asset IS NULL AND s.exchange = ANY($1) AND s.simulated = $2
    GROUP BY s.captured_at, s.collection_ref, s.quote HAVING count(s.total_equity) = cardinality($1)
  )
  SELECT at, quote, equity::text, NULL AS first, NULL AS low, NULL AS high FROM snapshot
  UNION ALL
  SELECT hour, key, last::text, first::text, min::text, max::text FROM rollup_hour
  WHERE kind = 'equity' AND metric = 'equity' AND exchange = $5 AND simulated = $2 AND hour >= $3
    AND hour NOT IN (SELECT date_bin('1 hour', at, 'epoch'::timestamptz) FROM snapshot)
  ORDER BY at`;

const TOTALS = 'balance_snapshot s WHERE s.asset IS NULL AND s.total_equity IS NOT NULL';
const OF_ACCOUNT = 's.exchange = t.exchange AND s.simulated = t.simulated';

const FLOWS = `
  SELECT t.exchange, t.type, t.asset, t.amount::text, t.counted_at,
    CASE WHEN t.counted_at < (SELECT min(s.captured_at) FROM ${TOTALS} AND ${OF_ACCOUNT})
      THEN date_bin('1 hour', t.counted_at, 'epoch'::timestamptz)
      ELSE coalesce((SELECT min(s.captured_at) FROM ${TOTALS} AND ${OF_ACCOUNT} AND s.captured_at >= t.counted_at), t.counted_at)
    END AS shown_at,
    CASE WHEN t.quote = $4 THEN t.value_in_quote::text END AS value
  FROM transfer t
  WHERE t.exchange = ANY($1) AND t.simulated = $2 AND t.counted_at > $3
    -- A withdrawal leaves the balance immediately; a deposit counts once completed.
    AND (t.status = 'ok' OR t.status = 'pending' AND t.type = 'withdrawal')
  ORDER BY shown_at`;
