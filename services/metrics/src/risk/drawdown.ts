import type { Pool } from '@switchyard/db';
import { Decimal, decimal, optionalDecimalText } from '../decimal';

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

export interface Told {
  known_from: Date;
  known_until: Date;
}

/**
 * Returns the current and the worst fall of equity below its highest value of the last days. A rolled-up hour counts
 * with its first, lowest, highest and last value, in this order; other hours count with every value. Unknown equity is
 * ignored. Deposits and withdrawals are neither profit nor loss: the period starts when they are first known, and the
 * result is null while the last ones are unknown or unpriced. If the exchange does not report them, `flow_adjusted` is
 * false and they count as profit or loss.
 */
export async function readDrawdown(
  pool: Pool,
  exchange: string,
  simulated: boolean,
  days: number,
  now: Date,
) {
  const owner = [exchange, simulated];
  const { rows: told } = await pool.query<Told>(TOLD, owner);
  const known = told[0] ?? null;
  const since = new Date(Math.max(now.getTime() - days * DAY, known?.known_from.getTime() ?? 0));
  const flows = known ? (await pool.query<Flow>(FLOWS, [...owner, since])).rows : [];
  const moments = flows.map(({ shown_at }) => shown_at);
  const { rows: points } = await pool.query<EquityPoint>(POINTS, [...owner, since, moments]);
  return presentDrawdown(points, flows, known);
}

export function presentDrawdown(
  points: readonly EquityPoint[],
  flows: readonly Flow[],
  known: Told | null,
) {
  const last = points.at(-1);
  const isKnown =
    !known || !last || (known.known_until >= last.at && flows.every(({ value }) => value !== null));
  const { peak, current, worst, worstAt } = drawdownOf(isKnown ? points : [], flows);
  return {
    flow_adjusted: known !== null,
    peak: optionalDecimalText(peak),
    current: current?.toNumber() ?? null,
    worst: worst?.toNumber() ?? null,
    worst_at: worstAt?.toISOString() ?? null,
  };
}

/**
 * Returns the fall of a time-weighted return index, the value of one unit of money without flows. Between two points it
 * grows by (end + withdrawn) / (start + deposited): deposits count from the start, withdrawals until the end. Source: the
 * manual of Portfolio Performance, "Time-Weighted Rate of Return", equation 1, with the time between two points as a day.
 * An approximation, because an exact return needs the equity just before each flow.
 */
export function drawdownOf(points: readonly EquityPoint[], flows: readonly Flow[]) {
  let index = decimal(1);
  let highest = index;
  let before: Decimal | null = null;
  let worst = null as { drop: Decimal; at: Date } | null;
  let next = 0;
  const fall = (to: Decimal, at: Date) => {
    const drop = fallen(to, highest);
    if (!worst || drop.gt(worst.drop)) worst = { drop, at };
  };
  for (const { at, equity, first, low, high } of points) {
    const end = decimal(equity);
    let deposited = decimal(0);
    let withdrawn = decimal(0);
    for (let flow = flows[next]; flow && flow.shown_at <= at; flow = flows[++next]) {
      if (flow.type === 'deposit') deposited = deposited.plus(flow.value ?? 0);
      else withdrawn = withdrawn.plus(flow.value ?? 0);
    }
    const start: Decimal | undefined = before?.plus(deposited);
    const grown = (value: Decimal) =>
      start?.gt(0) ? index.times(value.plus(withdrawn)).div(start) : index;
    const raise = (value: Decimal) => {
      highest = Decimal.max(highest, grown(value));
    };
    if (first && low && high && start?.gt(0) && deposited.isZero() && withdrawn.isZero()) {
      raise(decimal(first));
      fall(grown(decimal(low)), at);
      raise(decimal(high));
    }
    index = grown(end);
    highest = Decimal.max(highest, index);
    fall(index, at);
    before = end;
  }
  return {
    /** Null after a total loss. */
    peak: index.gt(0) ? before?.times(highest).div(index) : null,
    current: before && fallen(index, highest),
    worst: worst?.drop,
    worstAt: worst?.at,
  };
}

const fallen = (index: Decimal, highest: Decimal): Decimal => decimal(1).minus(index.div(highest));

const ROWS = `balance_snapshot s
  WHERE s.asset IS NULL AND s.total_equity IS NOT NULL AND s.exchange = $1 AND s.simulated = $2`;

const POINTS = `
  WITH fine AS (
    SELECT s.captured_at AS at, s.total_equity AS equity FROM ${ROWS}
      AND s.captured_at >= greatest($3, (SELECT complete_until FROM rollup_progress WHERE kind = 'balance'))
    UNION
    SELECT own.* FROM (SELECT DISTINCT date_bin('1 hour', at, 'epoch'::timestamptz) AS hour FROM unnest($4::timestamptz[]) AS at) AS moved
    CROSS JOIN LATERAL (
      SELECT s.captured_at, s.total_equity FROM ${ROWS}
        AND s.captured_at >= greatest($3, moved.hour) AND s.captured_at < moved.hour + interval '1 hour'
    ) AS own
  )
  SELECT at, equity::text, NULL AS first, NULL AS low, NULL AS high FROM fine
  UNION ALL
  SELECT hour, last::text, first::text, min::text, max::text FROM rollup_hour
  WHERE kind = 'balance' AND key = '' AND metric = 'equity' AND exchange = $1 AND simulated = $2 AND hour >= $3
    AND hour NOT IN (SELECT date_bin('1 hour', at, 'epoch'::timestamptz) FROM fine)
  ORDER BY at`;

const TOLD =
  'SELECT known_from, known_until FROM transfer_progress WHERE exchange = $1 AND simulated = $2';

const FLOWS = `
  SELECT CASE WHEN t.counted_at < (SELECT min(s.captured_at) FROM ${ROWS})
      THEN date_bin('1 hour', t.counted_at, 'epoch'::timestamptz)
      ELSE coalesce((SELECT min(s.captured_at) FROM ${ROWS} AND s.captured_at >= t.counted_at), t.counted_at) END AS shown_at,
    type, value_in_quote::text AS value
  FROM transfer t
  WHERE t.exchange = $1 AND t.simulated = $2 AND t.counted_at > $3
    -- A withdrawal leaves the balance immediately; a deposit counts once completed.
    AND (t.status = 'ok' OR t.status = 'pending' AND t.type = 'withdrawal')
  ORDER BY shown_at`;
