import { asFailure } from '../exchange/failure';
import type { Candle, Exchange } from '../exchange/port';
import { type Analysis, analyze } from '../regime/analyze';
import type { FetchedCandles } from './candle-store';
import type { Sink } from './run-component';

export interface RegimeRow {
  symbol: string;
  timeframe: string;
  analysis: Analysis;
}

/** By the set of candles, which is the same one until the next candle closes. */
const known = new WeakMap<readonly Candle[], Analysis>();

/** One row for each symbol whose candles came. */
export async function collectRegimes(
  exchange: Exchange,
  candles: ReadonlyMap<string, Promise<FetchedCandles>>,
  sink: Sink<RegimeRow>,
): Promise<void> {
  await Promise.all(
    [...candles].map(async ([symbol, fetched]) => {
      try {
        const { closed, timeframe } = await fetched;
        const analysis = known.get(closed) ?? analyze(closed, timeframe, exchange.time());
        known.set(closed, analysis);
        sink.rows.push({ symbol, timeframe, analysis });
      } catch (error) {
        sink.failures.push(asFailure(error, symbol));
      }
    }),
  );
}
