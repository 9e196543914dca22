import { asFailure } from '../../exchange/failure';
import type { Candle } from '../../exchange/port';
import type { Round, Sink } from '../kind';
import { type Analysis, analyze } from './analyze';

export interface RegimeRow {
  symbol: string;
  timeframe: string;
  analysis: Analysis;
}

export async function gatherRegimes(
  { candlesOf, exchange, priced }: Round,
  sink: Sink<RegimeRow>,
): Promise<void> {
  await Promise.all(
    priced.map(async (symbol) => {
      try {
        const { closed, timeframe, failure } = await candlesOf(symbol);
        if (failure) sink.failures.push(failure);
        const analysis = known.get(closed) ?? analyze(closed, timeframe, exchange.time());
        known.set(closed, analysis);
        sink.rows.push({ symbol, timeframe, analysis });
      } catch (error) {
        sink.failures.push(asFailure(error, symbol));
      }
    }),
  );
}

const known = new WeakMap<readonly Candle[], Analysis>();
