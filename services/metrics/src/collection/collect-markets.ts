import { asFailure, ExchangeFailure } from '../exchange/failure';
import type { Exchange } from '../exchange/port';
import { type Quote, readTicker } from '../exchange/read-ticker';
import type { Sink } from './run-component';

/** One row for each symbol that the exchange quotes sensibly; each other is named in the failures. */
export async function collectMarkets(
  exchange: Exchange,
  symbols: readonly string[],
  sink: Sink<Quote>,
  signal: AbortSignal,
): Promise<void> {
  const tickers = await exchange.tickers(symbols, signal);
  const now = exchange.time();
  for (const symbol of symbols) {
    const ticker =
      tickers.get(symbol) ?? new ExchangeFailure('malformed', symbol, 'no answer for this symbol');
    try {
      if (ticker instanceof ExchangeFailure) throw ticker;
      sink.rows.push(readTicker(ticker, now));
    } catch (error) {
      sink.failures.push(asFailure(error, symbol));
    }
  }
}
