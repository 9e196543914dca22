import { type Decimal, decimal } from '../../decimal';
import { BRIDGES } from '../load-prices';
import type { ObservedMargin } from '../position/gather';
import { type MidPrices, priceOf } from '../price-assets';

/** Values margin that the balance excludes, and unrealised profit if no balance includes it. */
export function valueMargin(
  { balances, profits, isProfitApart }: ObservedMargin,
  quote: string,
  mids: MidPrices,
  ignored: readonly string[],
): { equity: Decimal; profit: Decimal; unpriced: string[] } {
  const unpriced = new Set<string>();
  const worthOf = (sums: ReadonlyMap<string, Decimal>) => {
    let value = decimal(0);
    for (const [asset, sum] of sums) {
      if (sum.isZero() || ignored.includes(asset)) continue;
      const known = priceOf(asset, quote, mids, BRIDGES);
      if (known) value = value.plus(known.price.times(sum));
      else unpriced.add(asset);
    }
    return value;
  };
  const profit = worthOf(profits);
  const margin = worthOf(balances);
  const equity = isProfitApart ? margin.plus(profit) : margin;
  return { equity, profit, unpriced: [...unpriced] };
}
