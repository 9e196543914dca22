import { asFailure } from '../exchange/failure';
import type { Exchange } from '../exchange/port';
import { type Analysis, analyze } from '../regime/analyze';
import type { FetchedCandles } from './candle-store';
import type { Sink } from './run-component';

export interface RegimeRow {
  symbol: string;
  timeframe: string;
  analysis: Analysis;
}

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
        const analysis = analyze(closed, timeframe, exchange.time());
        sink.rows.push({ symbol, timeframe, analysis });
      } catch (error) {
        sink.failures.push(asFailure(error, symbol));
      }
    }),
  );
}
