import { type Decimal, decimal, decimalText } from '../../decimal';
import { BRIDGES } from '../load-prices';
import type { ObservedMargin } from '../position/gather';
import { type MidPrices, priceOf } from '../price-assets';

/**
 * Values the margin that the balance does not include, and the unrealised profit if no balance
 * includes it.
 */
export function valueMargin(
  margin: ObservedMargin,
  quote: string,
  mids: MidPrices,
  ignored: readonly string[],
): { assets: Record<string, string | null>; equity: Decimal; profit: Decimal; unpriced: string[] } {
  const valuesOf = (sums: ReadonlyMap<string, Decimal>) =>
    [...sums]
      .filter(([asset, sum]) => !sum.isZero() && !ignored.includes(asset))
      .map(([asset, sum]) => {
        const known = priceOf(asset, quote, mids, BRIDGES);
        return { asset, value: known?.price.times(sum) ?? null };
      });
  const sumOf = (values: ReturnType<typeof valuesOf>) =>
    values.reduce((sum, { value }) => sum.plus(value ?? 0), decimal(0));
  const profits = valuesOf(margin.profits);
  const balances = valuesOf(margin.balances);
  const profit = sumOf(profits);
  const held = sumOf(balances);
  const unpriced = [...profits, ...balances].filter(({ value }) => value === null);
  return {
    assets: Object.fromEntries(
      balances.map(({ asset, value }) => [asset, value && decimalText(value)]),
    ),
    equity: margin.isProfitApart ? held.plus(profit) : held,
    profit,
    unpriced: [...new Set(unpriced.map(({ asset }) => asset))],
  };
}
