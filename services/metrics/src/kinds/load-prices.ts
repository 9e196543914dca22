import { ExchangeFailure } from '../exchange/failure';
import { type Quote, readTicker } from '../exchange/read-ticker';
import type { Round } from './kind';
import { MARKET } from './market/market';
import { type MidPrices, midsOf, pairsToPrice, priceOf } from './price-assets';

export const BRIDGES = ['USDT', 'USDC', 'BTC', 'USD', 'EUR'];

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
  const needed = [...listed.keys()].filter(
    (symbol) => !mids.has(symbol) && !round.priced.includes(symbol),
  );
  const quotes: Quote[] = [];
  for (const ticker of (await exchange.tickers(needed, signal)).values()) {
    if (ticker instanceof ExchangeFailure) continue;
    try {
      quotes.push(readTicker(ticker, exchange.time()));
    } catch {}
  }
  return new Map([...mids, ...midsOf(quotes)]);
}
