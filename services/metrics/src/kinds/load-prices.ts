import { ExchangeFailure } from '../exchange/failure';
import { type Quote, readTicker } from '../exchange/read-ticker';
import type { Round } from './kind';
import { MARKET } from './market/market';
import { type MidPrices, midsOf, pairsToPrice, priceOf } from './price-assets';

/** Assets over which another one may be priced that has no market of its own against the quote. */
export const BRIDGES = ['USDT', 'USDC', 'BTC', 'USD', 'EUR'];

/**
 * Prices that say what `assets` are worth in `quote`: those of the markets that are collected, and what the exchange
 * quotes beside them for the assets that these leave without one.
 */
export async function loadPrices(
  round: Round,
  assets: readonly string[],
  quote: string,
): Promise<MidPrices> {
  const { exchange, signal } = round;
  const mids = midsOf(await round.seen(MARKET));
  const missing = assets.filter((asset) => !priceOf(asset, quote, mids, BRIDGES));
  if (missing.length === 0) return mids;
  const listed = await exchange.markets(pairsToPrice(missing, quote, BRIDGES), signal);
  // What this collection asked for and did not get, or did not believe, is not asked for again.
  const needed = [...listed.keys()].filter(
    (symbol) => !mids.has(symbol) && !round.priced.includes(symbol),
  );
  const quotes: Quote[] = [];
  for (const ticker of (await exchange.tickers(needed, signal)).values()) {
    if (ticker instanceof ExchangeFailure) continue;
    try {
      quotes.push(readTicker(ticker, exchange.time()));
    } catch {
      // An asset without a sensible price stays without one, and whoever asked for it says so.
    }
  }
  return new Map([...mids, ...midsOf(quotes)]);
}
