import type { Sql } from '@switchyard/db';
import { type Decimal, decimal } from '../../../decimal';
import type { Fill } from './fill';
import { type BooksOf, fillOf, readFills } from './fold-books';
import { feeOf } from './ledger';
import { applyToTrips, NO_TRIPS } from './trips';

/**
 * Returns results after fees per sell order since `since` that closed a lot; null after the first
 * unpriced fee. Reads all fills, because checkpoints store lots before fees.
 */
export async function closedTrips(
  sql: Sql,
  grid: BooksOf,
  since: Date,
): Promise<(Decimal | null)[]> {
  const results = new Map<string, Decimal | null>();
  let trips = NO_TRIPS;
  let isPriced = true;
  for (const row of await readFills(sql, grid, null)) {
    const { fill, isUnpriced } = afterFee(grid, fillOf(grid, row));
    isPriced = isPriced && !isUnpriced;
    const next = applyToTrips(trips, fill);
    if (fill.side === 'sell' && next !== trips && row.traded_at >= since) {
      const earned = decimal(next.profit).minus(trips.profit);
      const known = results.get(row.order_key);
      results.set(row.order_key, isPriced && known !== null ? earned.plus(known ?? 0) : null);
    }
    trips = next;
  }
  return [...results.values()];
}

/** A fee in the base asset reduces a purchase or increases a sale. */
function afterFee({ symbol }: BooksOf, fill: Fill): { fill: Fill; isUnpriced: boolean } {
  const [base = '', quote = ''] = symbol.split('/');
  const { inBase, inQuote, isUnpriced } = feeOf(fill, base, quote);
  const sign = fill.side === 'buy' ? 1 : -1;
  const amount = fill.amount.minus(inBase.times(sign));
  const value = fill.amount.times(fill.price).plus(inQuote.times(sign));
  return { fill: { ...fill, amount, price: value.div(amount) }, isUnpriced };
}
