import { decimal, readDecimal } from '../decimal';
import { type ExchangeFailure, malformed } from './failure';
import { type Candle, TIMEFRAME_MS, type Timeframe } from './port';
import { readTime } from './read-time';

export interface CandlesRead {
  closed: Candle[];
  failure: ExchangeFailure | null;
}

/**
 * Returns the candles that are closed at `now`. Omits inconsistent candles, and different candles
 * of the same time, because a wrong price is worse than none.
 * @throws ExchangeFailure `malformed` if candles are closed, but none of them is valid
 */
export function readCandles(
  symbol: string,
  timeframe: Timeframe,
  candles: readonly Candle[],
  now: number,
): CandlesRead {
  const span = TIMEFRAME_MS[timeframe];
  const sound = new Map<number, Candle>();
  const odd = new Set<number>();
  for (const candle of candles) {
    const { openTime } = candle;
    if (openTime + span > now || odd.has(openTime)) continue;
    const known = sound.get(openTime);
    if (!isSound(candle) || (known && !isSame(candle, known))) odd.add(openTime);
    sound.set(openTime, candle);
  }
  for (const openTime of odd) sound.delete(openTime);
  if (odd.size > 0 && sound.size === 0) throw malformed(symbol, NONE_VALID);
  const closed = [...sound.values()].sort((a, b) => a.openTime - b.openTime);
  return { closed, failure: odd.size > 0 ? leftOut(symbol, [...odd]) : null };
}

const NONE_VALID =
  'no closed candle is valid: each must have a valid time, positive prices, open and close between low and high, and a volume of at least 0; candles of the same time must be equal';

function leftOut(symbol: string, openTimes: readonly number[]): ExchangeFailure {
  const [first] = openTimes.filter(isTime).sort((a, b) => a - b);
  const time = first === undefined ? 'without a time' : `of ${new Date(first).toISOString()}`;
  const count = openTimes.length;
  const what =
    count === 1
      ? `1 malformed candle ${time} is`
      : `${count} malformed candles, the first ${time}, are`;
  return malformed(symbol, `${what} left out`);
}

const isTime = (time: number): boolean => readTime(time) !== null;

const PARTS = ['open', 'high', 'low', 'close', 'volume'] as const;

export const isSame = (one: Candle, other: Candle): boolean =>
  PARTS.every((part) => decimal(one[part]).eq(other[part]));

function isSound(candle: Candle): boolean {
  const [open, high, low, close] = [candle.open, candle.high, candle.low, candle.close].map(
    readDecimal,
  );
  if (!isTime(candle.openTime) || !readDecimal(candle.volume)?.gte(0)) return false;
  if (!open?.gt(0) || !high?.gt(0) || !low?.gt(0) || !close?.gt(0)) return false;
  return high.gte(open) && high.gte(close) && low.lte(open) && low.lte(close);
}
