import { type Decimal, decimal } from '../decimal';
import type { Quote } from '../exchange/read-ticker';

export interface AssetPrice {
  price: Decimal;
  source: string;
  /** True when a quote that it is made of is old. */
  stale: boolean;
}

export interface Mid {
  price: Decimal;
  stale: boolean;
}

/** Mid prices by symbol; only symbols that the exchange lists are ever looked up. */
export type MidPrices = ReadonlyMap<string, Mid>;

/** In a book wider than this the middle is no price: nobody trades there. */
const WIDEST_SPREAD_BPS = 1_000;

/** The middle of each quote whose book is narrow enough to have one. */
export function midsOf(quotes: readonly Quote[]): Map<string, Mid> {
  return new Map(
    quotes
      .filter(({ spreadBps }) => spreadBps <= WIDEST_SPREAD_BPS)
      .map(({ symbol, mid, stale }) => [symbol, { price: decimal(mid), stale }]),
  );
}

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
  if (asset === quote) return { price: decimal(1), source: 'direct', stale: false };
  const own = through(asset, quote, mids);
  if (own) return own;
  for (const bridge of bridges) {
    if (bridge === asset || bridge === quote) continue;
    const first = through(asset, bridge, mids);
    const second = through(bridge, quote, mids);
    if (first && second) {
      const stale = first.stale || second.stale;
      return { price: first.price.times(second.price), source: `bridge:${bridge}`, stale };
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
  if (direct) return { ...direct, source: 'direct' };
  const inverse = mids.get(`${quote}/${asset}`);
  if (inverse) {
    const price = decimal(1).div(inverse.price);
    return { price, source: 'inverse', stale: inverse.stale };
  }
  return null;
}
