import { Decimal, decimalText, optionalDecimalText, readDecimal, SCALE } from '../decimal';
import { malformed } from './failure';
import type { Ticker } from './port';
import { readTime } from './read-time';

const STALE_AFTER_MS = 60_000;
/**
 * Largest allowed distance of the last price from the mid price: the larger of a share of the mid
 * price and a multiple of the spread.
 */
const FARTHEST_LAST = { share: 0.25, spreads: 10 };

export type Quote = ReturnType<typeof readTicker>;

/**
 * Rejects doubtful prices, because a wrong price is worse than none.
 * @throws ExchangeFailure `malformed` if a price is missing, not positive or not finite, if the
 * book is crossed or far from the last price, or if the time is in the future
 */
export function readTicker(ticker: Ticker, now: number) {
  const { symbol } = ticker;
  const price = (field: 'last' | 'bid' | 'ask') => {
    const value = readDecimal(ticker[field]);
    if (!value?.toDecimalPlaces(SCALE).gt(0)) {
      throw malformed(
        symbol,
        `the ${field} price is missing, or 0 when rounded to ${SCALE} decimal places`,
      );
    }
    return value;
  };
  const optional = (value: unknown) => {
    const read = readDecimal(value);
    return read?.gte(0) ? read : null;
  };
  const last = price('last');
  const bid = price('bid');
  const ask = price('ask');
  if (bid.gt(ask)) throw malformed(symbol, 'the book is crossed: bid above ask');
  const mid = bid.plus(ask).div(2);
  const farthest = Decimal.max(
    mid.times(FARTHEST_LAST.share),
    ask.minus(bid).times(FARTHEST_LAST.spreads),
  );
  if (last.minus(mid).abs().gt(farthest)) {
    throw malformed(symbol, 'the last price is far from bid and ask');
  }
  const open = optional(ticker.open);
  const time = readTime(ticker.time);
  if (time !== null && time.getTime() - now > STALE_AFTER_MS) {
    throw malformed(symbol, 'the time of the ticker is in the future');
  }
  return {
    symbol,
    last: decimalText(last),
    bid: decimalText(bid),
    ask: decimalText(ask),
    mid: decimalText(mid),
    spreadAbs: decimalText(ask.minus(bid)),
    spreadBps: ask.minus(bid).div(mid).times(10_000).toNumber(),
    open24h: optionalDecimalText(open),
    high24h: optionalDecimalText(optional(ticker.high)),
    low24h: optionalDecimalText(optional(ticker.low)),
    changePct24h: open?.gt(0) ? last.minus(open).div(open).times(100).toNumber() : null,
    baseVolume24h: optionalDecimalText(optional(ticker.baseVolume)),
    quoteVolume24h: optionalDecimalText(optional(ticker.quoteVolume)),
    sourceTime: time,
    stale: time !== null && now - time.getTime() > STALE_AFTER_MS,
  };
}
