import { type Decimal, decimal } from '../decimal';

export interface AssetPrice {
  price: Decimal;
  source: string;
}

/** Mid prices by symbol; only symbols that the exchange lists are ever looked up. */
export type MidPrices = ReadonlyMap<string, Decimal>;

/**
 * What one unit of `asset` is worth in `quote`: by its own market, by the reversed one, or over one bridge.
 * Pairs are looked up whole, never guessed from the start of a name, and no coin is taken to equal another.
 */
export function priceOf(
  asset: string,
  quote: string,
  mids: MidPrices,
  bridges: readonly string[],
): AssetPrice | null {
  if (asset === quote) return { price: decimal(1), source: 'direct' };
  const own = through(asset, quote, mids);
  if (own) return own;
  for (const bridge of bridges) {
    if (bridge === asset || bridge === quote) continue;
    const first = through(asset, bridge, mids);
    const second = through(bridge, quote, mids);
    if (first && second) {
      return { price: first.price.times(second.price), source: `bridge:${bridge}` };
    }
  }
  return null;
}

/** Every pair that could price one of `assets`, for the exchange to say which of them it lists. */
export function pairsToPrice(
  assets: readonly string[],
  quote: string,
  bridges: readonly string[],
): string[] {
  const ends = [quote, ...bridges];
  const pairs = [...assets, ...bridges].flatMap((asset) =>
    ends.filter((end) => end !== asset).flatMap((end) => [`${asset}/${end}`, `${end}/${asset}`]),
  );
  return [...new Set(pairs)];
}

function through(asset: string, quote: string, mids: MidPrices): AssetPrice | null {
  const direct = mids.get(`${asset}/${quote}`);
  if (direct) return { price: direct, source: 'direct' };
  const inverse = mids.get(`${quote}/${asset}`);
  if (inverse) return { price: decimal(1).div(inverse), source: 'inverse' };
  return null;
}
