import type { Sql } from '@switchyard/db';
import { type Decimal, decimal } from '../../../decimal';
import type { GridRow } from '../read-grids';
import { type FillRow, fillOf, NEWEST_FILLS } from './fold-books';
import { feeOf } from './ledger';
import type { Fill } from './trips';
import { applyToTrips, NO_TRIPS } from './trips';

const MOST_FILLS = 10_000;

/**
 * Returns the results, after fees, of the sell orders that sold what was bought on the level below;
 * null after a fee without a price. Does not use checkpoints, because the lots in them do not
 * include fees.
 */
export async function closedTrips(
  sql: Sql,
  grids: readonly GridRow[],
  start: Date,
): Promise<{ trips: (Decimal | null)[]; since: Date }> {
  const ids = grids.map(({ gridId }) => gridId);
  const sharePerGrid = Math.max(1, Math.floor(MOST_FILLS / Math.max(1, ids.length)));
  const { rows } = await sql.query<FillRow>(NEWEST_FILLS, [ids, sharePerGrid]);
  const read = grids.map((grid) => ({
    grid,
    own: rows.filter(({ grid_id }) => grid_id === grid.gridId),
  }));
  const cuts = read.flatMap(({ own }) => (own.length === sharePerGrid ? own.slice(0, 1) : []));
  const deleted = grids.flatMap(({ fillsDeletedUntil }) => fillsDeletedUntil ?? []);
  const times = [start, ...deleted, ...cuts.map((oldest) => oldest.traded_at)];
  const since = new Date(Math.max(...times.map(Number)));
  return { trips: read.flatMap(({ grid, own }) => tripsOf(grid, own, since)), since };
}

function tripsOf(grid: GridRow, rows: readonly FillRow[], since: Date) {
  const results = new Map<string, Decimal | null>();
  let trips = NO_TRIPS;
  let isPriced = true;
  for (const row of rows) {
    const { fill, isUnpriced } = afterFee(grid, fillOf(grid, row));
    isPriced = isPriced && !isUnpriced;
    const next = applyToTrips(trips, fill);
    if (fill.side === 'sell' && next !== trips && row.traded_at >= since) {
      const earned = decimal(next.profit).minus(trips.profit);
      const order = row.order_id ?? row.trade_id;
      const known = results.get(order);
      results.set(order, isPriced && known !== null ? earned.plus(known ?? 0) : null);
    }
    trips = next;
  }
  return [...results.values()];
}

/**
 * Applies the fee to the fill. A fee in the base asset reduces a purchase, possibly to nothing, or
 * increases a sale.
 */
function afterFee({ symbol }: GridRow, fill: Fill): { fill: Fill; isUnpriced: boolean } {
  const [base = '', quote = ''] = symbol.split('/');
  const { inBase, inQuote, isUnpriced } = feeOf(fill, base, quote);
  const sign = fill.side === 'buy' ? 1 : -1;
  const amount = fill.amount.minus(inBase.times(sign));
  if (!amount.gt(0)) return { fill: { ...fill, level: null }, isUnpriced };
  const value = fill.amount.times(fill.price).plus(inQuote.times(sign));
  return { fill: { ...fill, amount, price: value.div(amount) }, isUnpriced };
}
