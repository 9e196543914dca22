import { type Decimal, decimal } from '../decimal';
import { ExchangeFailure } from '../exchange/failure';
import { readTicker } from '../exchange/read-ticker';
import type { Resources } from '../resources';
import { askExchange } from './ask-exchange';

/**
 * Returns the mid price of a symbol, or null if its book is invalid.
 * @throws ApiError 503 if the exchange does not respond
 */
export async function markOf(
  { config, exchange }: Resources,
  symbol: string,
): Promise<Decimal | null> {
  const signal = AbortSignal.timeout(config.callTimeoutMs);
  const ask = () => exchange.tickers([symbol], signal);
  const ticker = (await askExchange('symbol', symbol, ask)).get(symbol);
  if (!ticker || ticker instanceof ExchangeFailure) return null;
  try {
    return decimal(readTicker(ticker, exchange.time()).mid);
  } catch {
    return null;
  }
}
