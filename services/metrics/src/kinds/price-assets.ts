import { Decimal, decimal } from '../decimal';
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
  /** The ask of a book that is too wide for its middle to be a price. */
  wideAsk?: Decimal;
}

/** Mid prices by symbol; only symbols that the exchange lists are ever looked up. */
export type MidPrices = ReadonlyMap<string, Mid>;

/** In a book wider than this the middle is no price: nobody trades there. */
const WIDEST_SPREAD_BPS = 1_000;

/** The middle of each quote, and whether its book is narrow enough to have one. */
export function midsOf(quotes: readonly Quote[]): Map<string, Mid> {
  return new Map(
    quotes.map(({ symbol, mid, ask, spreadBps, stale }) => {
      const isWide = spreadBps > WIDEST_SPREAD_BPS;
      return [symbol, { price: decimal(mid), stale, ...(isWide && { wideAsk: decimal(ask) }) }];
    }),
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

/**
 * The most that one unit of an asset without a price can be worth in `quote`: the lowest ask of its markets whose books are
 * too wide; null where no fresh ask is known.
 */
export function ceilingOf(
  asset: string,
  quote: string,
  mids: MidPrices,
  bridges: readonly string[],
): Decimal | null {
  const asks = [quote, ...bridges].flatMap((end) => {
    const { wideAsk, stale } = mids.get(`${asset}/${end}`) ?? {};
    const worth = priceOf(end, quote, mids, bridges);
    return wideAsk && !stale && worth && !worth.stale ? [wideAsk.times(worth.price)] : [];
  });
  return asks.length > 0 ? Decimal.min(...asks) : null;
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
  if (direct && !direct.wideAsk) return { ...direct, source: 'direct' };
  const inverse = mids.get(`${quote}/${asset}`);
  if (inverse && !inverse.wideAsk) {
    const price = decimal(1).div(inverse.price);
    return { price, source: 'inverse', stale: inverse.stale };
  }
  return null;
}
