import { asFailure, ExchangeFailure } from '../../exchange/failure';
import { type Quote, readTicker } from '../../exchange/read-ticker';
import type { Round, Sink } from '../kind';
import { createSuspicion } from './suspect';

export async function gatherMarkets(round: Round, sink: Sink<Quote>): Promise<void> {
  const { exchange, priced, signal } = round;
  const [tickers, suspicionOf] = await Promise.all([
    exchange.tickers(priced, signal),
    createSuspicion(round, priced),
  ]);
  const now = exchange.time();
  for (const symbol of priced) {
    const ticker =
      tickers.get(symbol) ??
      new ExchangeFailure('malformed', symbol, 'the answer has no ticker for this symbol');
    try {
      if (ticker instanceof ExchangeFailure) throw ticker;
      const quote = readTicker(ticker, now);
      const suspicion = suspicionOf(quote);
      if (suspicion) throw suspicion;
      sink.rows.push(quote);
    } catch (error) {
      sink.failures.push(asFailure(error, symbol));
    }
  }
}
