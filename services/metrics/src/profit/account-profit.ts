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
  quote: string | null;
  equity: string | null;
  transfers: string | null;
  transfer_fees: string | null;
  funding: string | null;
  first_at: Date | null;
  first_equity: string | null;
}

export async function accountProfit(
  pool: Pool,
  { name, simulated }: { name: string; simulated: boolean },
  { unit, until, periods }: { unit: string; until: Date; periods: number },
  grids: readonly GridPeriod[],
): Promise<AccountPeriod[]> {
  const { rows } = await pool.query<Point>(POINTS, [unit, until, periods, name, simulated]);
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
    return [periodOf({ ...owner, simulated }, before, point, own)];
  });
}

function periodOf(
  account: { exchange: string; account?: string; simulated: boolean },
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
    quote: String(point.quote),
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

const POINTS = `
  WITH ends AS (
    SELECT least((date_trunc($1, $2::timestamptz AT TIME ZONE 'UTC') - n * ('1 ' || $1)::interval)
      AT TIME ZONE 'UTC', $2::timestamptz) AS at
    FROM generate_series(0, $3::int - 1) AS n
    UNION SELECT $2::timestamptz
  ), points AS (
    SELECT ends.at, coalesce(s.captured_at, h.hour) AS captured_at, coalesce(s.total_equity, h.last) AS equity, s.quote
    FROM ends LEFT JOIN LATERAL (
      SELECT * FROM balance_snapshot t
      WHERE t.asset IS NULL AND t.total_equity IS NOT NULL AND t.exchange = $4 AND t.simulated = $5 AND t.captured_at < ends.at
      ORDER BY t.captured_at DESC, t.id DESC LIMIT 1
    ) s ON true LEFT JOIN LATERAL (
      SELECT r.hour + interval '1 hour' AS hour, r.last FROM rollup_hour r
      WHERE s.captured_at IS NULL AND r.kind = 'balance' AND r.key = '' AND r.metric = 'equity'
        AND r.exchange = $4 AND r.simulated = $5 AND r.hour <= ends.at - interval '1 hour'
      ORDER BY r.hour DESC LIMIT 1
    ) h ON true
  ), first AS (
    SELECT captured_at AS first_at, total_equity AS first_equity FROM balance_snapshot t
    WHERE t.asset IS NULL AND t.total_equity IS NOT NULL AND t.exchange = $4 AND t.simulated = $5
    ORDER BY t.captured_at, t.id LIMIT 1
  ), spans AS (
    SELECT *, coalesce(lag(captured_at) OVER (ORDER BY at), first_at) AS before FROM points LEFT JOIN first ON true
  )
  SELECT spans.at, spans.captured_at, spans.equity::text, coalesce(spans.quote, max(spans.quote) OVER ()) AS quote,
    CASE WHEN p.known_from <= spans.before AND p.known_until >= spans.captured_at AND sums.is_priced
      THEN sums.moved::text END AS transfers,
    sums.fees::text AS transfer_fees, paid.funding::text, spans.first_at, spans.first_equity::text
  FROM spans LEFT JOIN transfer_progress p ON p.exchange = $4 AND p.simulated = $5
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(CASE t.type WHEN 'withdrawal' THEN -t.value_in_quote ELSE t.value_in_quote END), 0) AS moved,
      coalesce(sum(t.fee_in_quote) FILTER (WHERE t.type = 'withdrawal'), 0) AS fees,
      coalesce(bool_and(t.value_in_quote IS NOT NULL AND t.fee_in_quote IS NOT NULL), true) AS is_priced
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
