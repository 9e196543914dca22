import type { Pool } from '@switchyard/db';
import { z } from 'zod';
import { decimal, optionalDecimalText } from '../decimal';
import { presentOwner } from '../exchange/owner';

const amount = z.string().nullable();

export const accountPeriod = z.object({
  exchange: z.string(),
  account: z.string().optional(),
  simulated: z.boolean(),
  quote: z.string(),
  start: z.string(),
  end: z.string(),
  equity_start: amount,
  equity_end: amount,
  transfers: amount,
  result: amount,
  grid_profit: amount,
  inventory_result: amount,
  fees: amount,
  funding: amount,
  other: amount,
});

export type AccountPeriod = z.output<typeof accountPeriod>;

export interface GridPeriod {
  exchange: string;
  account?: string | undefined;
  simulated: boolean;
  end: string;
  total_pnl: string | null;
  grid_profit: string | null;
  inventory_result: string | null;
  fees: string | null;
}

interface Point {
  at: Date;
  captured_at: Date | null;
  equity: string | null;
  transfers: string | null;
  transfer_fees: string | null;
  funding: string | null;
  first_at: Date | null;
  first_equity: string | null;
}

export async function accountProfit(
  pool: Pool,
  { name, simulated, quote }: { name: string; simulated: boolean; quote: string },
  { unit, until, periods }: { unit: string; until: Date; periods: number },
  grids: readonly GridPeriod[],
): Promise<AccountPeriod[]> {
  const { rows } = await pool.query<Point>(POINTS, [
    ...[unit, until, periods, name, simulated, quote],
  ]);
  const owner = presentOwner(name);
  return rows.flatMap((point, index) => {
    const last = rows[index - 1];
    if (!last || !point.captured_at) return [];
    const before = last.captured_at
      ? last
      : { ...last, captured_at: point.first_at, equity: point.first_equity };
    if (!before.captured_at) return [];
    if (+point.captured_at === +before.captured_at) return [];
    const own = grids.filter(
      (grid) =>
        grid.exchange === owner.exchange &&
        grid.account === owner.account &&
        grid.simulated === simulated &&
        grid.end === point.at.toISOString(),
    );
    return [periodOf({ ...owner, simulated, quote }, before, point, own)];
  });
}

function periodOf(
  account: { exchange: string; account?: string; simulated: boolean; quote: string },
  before: Point,
  point: Point,
  grids: readonly GridPeriod[],
): AccountPeriod {
  const sum = (part: 'total_pnl' | 'grid_profit' | 'inventory_result' | 'fees') =>
    grids.some((grid) => grid[part] === null)
      ? null
      : grids.reduce((total, grid) => total.plus(grid[part] ?? 0), decimal(0));
  const isKnown = before.equity !== null && point.equity !== null && point.transfers !== null;
  const result = isKnown
    ? decimal(point.equity ?? 0)
        .minus(before.equity ?? 0)
        .minus(point.transfers ?? 0)
    : null;
  const ofGrids = sum('total_pnl');
  const gridFees = sum('fees');
  const paid = decimal(point.transfer_fees ?? 0);
  const rest = result && ofGrids ? result.minus(ofGrids).plus(paid) : null;
  const other = rest && point.funding !== null ? rest.minus(point.funding) : null;
  return {
    ...account,
    start: before.at.toISOString(),
    end: point.at.toISOString(),
    equity_start: optionalDecimalText(before.equity),
    equity_end: optionalDecimalText(point.equity),
    transfers: optionalDecimalText(point.transfers),
    result: optionalDecimalText(result),
    grid_profit: optionalDecimalText(sum('grid_profit')),
    inventory_result: optionalDecimalText(sum('inventory_result')),
    fees: optionalDecimalText(gridFees && point.transfers !== null ? gridFees.plus(paid) : null),
    funding: optionalDecimalText(point.funding),
    other: optionalDecimalText(other),
  };
}

const TOTALS = `balance_snapshot t WHERE t.asset IS NULL AND t.total_equity IS NOT NULL
        AND t.exchange = $4 AND t.simulated = $5 AND t.captured_at > other.until`;

const HOURS = `r.hour + interval '1 hour' AS at, r.last FROM rollup_hour r WHERE r.kind = 'equity' AND r.key = $6
        AND r.metric = 'equity' AND r.exchange = $4 AND r.simulated = $5 AND r.hour >= other.until`;

const POINTS = `
  WITH RECURSIVE ends AS (
    SELECT least((date_trunc($1, $2::timestamptz AT TIME ZONE 'UTC') - n * ('1 ' || $1)::interval)
      AT TIME ZONE 'UTC', $2::timestamptz) AS at
    FROM generate_series(0, $3::int - 1) AS n
    UNION SELECT $2::timestamptz
  ), quote AS (
    SELECT min(key) AS key FROM rollup_hour WHERE kind = 'equity'
    UNION ALL
    SELECT (SELECT min(key) FROM rollup_hour WHERE kind = 'equity' AND key > quote.key) FROM quote WHERE key IS NOT NULL
  ), other AS (
    SELECT coalesce(max(at), '-infinity') AS until FROM (
      SELECT max(t.captured_at) AS at FROM balance_snapshot t
      WHERE t.asset IS NULL AND t.exchange = $4 AND t.simulated = $5 AND t.quote <> $6
        AND t.captured_at >= coalesce((SELECT max(complete_until) FROM rollup_progress WHERE kind = 'equity'), '-infinity')
      UNION ALL
      SELECT max(hour) + interval '1 hour' FROM rollup_hour JOIN quote USING (key)
      WHERE kind = 'equity' AND key <> $6 AND metric = 'equity' AND exchange = $4 AND simulated = $5
    ) AS last
  ), points AS (
    SELECT ends.at, coalesce(s.captured_at, h.at) AS captured_at, coalesce(s.total_equity, h.last) AS equity
    FROM other CROSS JOIN ends LEFT JOIN LATERAL (
      SELECT * FROM ${TOTALS} AND t.captured_at < ends.at ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
    ) s ON true LEFT JOIN LATERAL (
      SELECT ${HOURS} AND s.captured_at IS NULL AND r.hour <= ends.at - interval '1 hour' ORDER BY r.hour DESC LIMIT 1
    ) h ON true
  ), first AS (
    SELECT f.* FROM other CROSS JOIN LATERAL (
      (SELECT t.captured_at AS first_at, t.total_equity AS first_equity FROM ${TOTALS} ORDER BY t.captured_at, t.id LIMIT 1)
      UNION ALL (SELECT ${HOURS} ORDER BY r.hour LIMIT 1)
      ORDER BY first_at LIMIT 1
    ) f
  ), spans AS (
    SELECT *, coalesce(lag(captured_at) OVER (ORDER BY at), first_at) AS before FROM points LEFT JOIN first ON true
  )
  SELECT spans.at, spans.captured_at, spans.equity::text,
    CASE WHEN p.known_from <= spans.before AND p.known_until >= spans.captured_at AND sums.is_priced
      THEN sums.moved::text END AS transfers,
    sums.fees::text AS transfer_fees, paid.funding::text, spans.first_at, spans.first_equity::text
  FROM spans LEFT JOIN transfer_progress p ON p.exchange = $4 AND p.simulated = $5
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE t.type WHEN 'withdrawal' THEN -t.value_in_quote ELSE t.value_in_quote END), 0) AS moved,
      coalesce(sum(t.fee_in_quote) FILTER (WHERE t.type = 'withdrawal'), 0) AS fees,
      coalesce(bool_and(t.quote = $6 AND t.value_in_quote IS NOT NULL AND t.fee_in_quote IS NOT NULL), true) AS is_priced
    FROM transfer t
    WHERE t.exchange = $4 AND t.simulated = $5 AND t.counted_at > spans.before AND t.counted_at <= spans.captured_at
      -- A withdrawal leaves the balance immediately; a deposit counts once completed.
      AND (t.status = 'ok' OR t.status = 'pending' AND t.type = 'withdrawal')
  ) AS sums CROSS JOIN LATERAL (
    SELECT CASE WHEN coalesce(bool_and(f.value_in_quote IS NOT NULL), true) THEN coalesce(sum(f.value_in_quote), 0) END AS funding
    FROM funding_payment f
    WHERE f.exchange = $4 AND f.counted_at > spans.before
      AND f.counted_at <= spans.captured_at
  ) AS paid
  ORDER BY spans.at`;
