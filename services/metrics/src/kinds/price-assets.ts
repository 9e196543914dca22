import { Decimal, decimal } from '../decimal';
import type { Quote } from '../exchange/read-ticker';

export interface AssetPrice {
  price: Decimal;
  source: string;
  stale: boolean;
}

export interface Mid {
  price: Decimal;
  stale: boolean;
  wideAsk?: Decimal;
}

export type MidPrices = ReadonlyMap<string, Mid>;

const WIDEST_SPREAD_BPS = 1_000;

export function midsOf(quotes: readonly Quote[]): Map<string, Mid> {
  return new Map(
    quotes.map(({ symbol, mid, ask, spreadBps, stale }) => {
      const isWide = spreadBps > WIDEST_SPREAD_BPS;
      return [symbol, { price: decimal(mid), stale, ...(isWide && { wideAsk: decimal(ask) }) }];
    }),
  );
}

/**
 * Prices an asset by its market, the inverse market, or one bridge asset. Never derives a pair from
 * name prefixes or assumes that two coins have equal value.
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
 * Returns an upper limit for the value of one unit of an unpriced asset: the lowest ask price of
 * books whose spread is too wide. Null without a fresh book.
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
