import { type Decimal, decimal } from '../decimal';
import { ExchangeFailure } from '../exchange/failure';
import { readTicker } from '../exchange/read-ticker';
import type { Resources } from '../resources';
import { askExchange } from './ask-exchange';

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
