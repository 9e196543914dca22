import { readDecimal } from '../decimal';
import { malformed } from './failure';
import { type Candle, TIMEFRAME_MS, type Timeframe } from './port';

/**
 * Closed candles in order of time; the one that is still open at `now` is dropped.
 * @throws ExchangeFailure `malformed` when one candle makes no sense
 */
export function readCandles(
  symbol: string,
  timeframe: Timeframe,
  candles: readonly Candle[],
  now: number,
): Candle[] {
  const span = TIMEFRAME_MS[timeframe];
  const closed = candles.filter(({ openTime }) => openTime + span <= now);
  const wrong = closed.find(
    (candle) =>
      !Number.isSafeInteger(candle.openTime) ||
      !isWhole(candle) ||
      !readDecimal(candle.volume)?.gte(0),
  );
  if (wrong) throw malformed(symbol, 'a candle is out of order with itself');
  return [...closed].sort((a, b) => a.openTime - b.openTime);
}

function isWhole(candle: Candle): boolean {
  const [open, high, low, close] = [candle.open, candle.high, candle.low, candle.close].map(
    readDecimal,
  );
  if (!open?.gt(0) || !high?.gt(0) || !low?.gt(0) || !close?.gt(0)) return false;
  return high.gte(open) && high.gte(close) && low.lte(open) && low.lte(close);
}
