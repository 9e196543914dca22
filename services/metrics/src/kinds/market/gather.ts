import { asFailure, ExchangeFailure } from '../../exchange/failure';
import { type Quote, readTicker } from '../../exchange/read-ticker';
import type { Round, Sink } from '../kind';

/** One row for each symbol that the exchange quotes sensibly; each other is named in the failures. */
export async function gatherMarkets(
  { exchange, priced, signal }: Round,
  sink: Sink<Quote>,
): Promise<void> {
  const tickers = await exchange.tickers(priced, signal);
  const now = exchange.time();
  for (const symbol of priced) {
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
