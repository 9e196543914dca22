import { errorFields } from '@switchyard/server';
import { presentFailure } from '../exchange/failure';
import { TIMEFRAME_MS, type Timeframe } from '../exchange/port';
import { readCandles } from '../exchange/read-candles';
import type { Resources } from '../resources';
import type { FetchedCandles } from './candles';

const MOST_CALLS = 4;
const PAGE = 250;
const LONGEST_AGO_MS = 400 * 86_400_000;

interface Gap {
  symbol: string;
  timeframe: Timeframe;
  from: number;
  to: number;
}

/**
 * Requests missing candles of the fetched series, newest first. Never throws; the next collection
 * retries after a failure.
 */
export type Backfill = (
  fetched: readonly FetchedCandles[],
  signal: AbortSignal,
) => Promise<FetchedCandles[]>;

export function createBackfill(resources: Resources): Backfill {
  const { exchange, logger } = resources;
  const whole = new Set<string>();
  const empty = new Set<string>();

  const fill = async ({ symbol, timeframe, from, to }: Gap, signal: AbortSignal) => {
    const span = TIMEFRAME_MS[timeframe];
    const limit = Math.min((to - from) / span + 1, PAGE);
    const until = from + (limit - 1) * span;
    const answer = await exchange.candles(symbol, timeframe, { limit, since: from }, signal);
    const settled = exchange.time() - exchange.candleGraceMs;
    const { closed, failure } = readCandles(symbol, timeframe, answer, settled);
    const fresh = closed.filter(({ openTime }) => openTime >= from && openTime <= until);
    if (failure) logger.warn('gaps in the candles could not be filled', presentFailure(failure));
    if (fresh.length === 0) empty.add(nameOf({ symbol, timeframe, from, to: until }));
    return { symbol, timeframe, closed: [], fresh, failure };
  };

  const remaining = (gap: Gap): Gap[] => {
    const span = TIMEFRAME_MS[gap.timeframe];
    let { from } = gap;
    for (; from <= gap.to; from += PAGE * span) {
      const to = Math.min(from + (PAGE - 1) * span, gap.to);
      if (!empty.has(nameOf({ ...gap, from, to }))) return [{ ...gap, from }];
    }
    return [];
  };

  return async (fetched, signal) => {
    for (const one of fetched) if (one.fresh.length > 1) whole.delete(seriesOf(one));
    const open = fetched.filter((one) => !whole.has(seriesOf(one)));
    if (open.length === 0) return [];
    const filled: FetchedCandles[] = [];
    try {
      const gaps = (await findGaps(resources, open)).flatMap(remaining);
      for (const one of open) {
        const isWhole =
          one.fresh.length <= 1 && !gaps.some((gap) => seriesOf(gap) === seriesOf(one));
        if (isWhole) whole.add(seriesOf(one));
      }
      for (const gap of gaps.slice(0, MOST_CALLS)) {
        if (signal.aborted) break;
        filled.push(await fill(gap, signal));
      }
    } catch (error) {
      logger.warn('gaps in the candles could not be filled', errorFields(error));
    }
    return filled;
  };
}

const seriesOf = ({ symbol, timeframe }: Pick<Gap, 'symbol' | 'timeframe'>) =>
  `${symbol} ${timeframe}`;
const nameOf = (gap: Gap) => `${seriesOf(gap)} ${gap.from} ${gap.to}`;

async function findGaps(
  { db, exchange }: Resources,
  series: readonly FetchedCandles[],
): Promise<Gap[]> {
  const [first] = series;
  if (!first) return [];
  const { timeframe } = first;
  const span = TIMEFRAME_MS[timeframe];
  const { rows } = await db.pool.query<{ symbol: string; before: Date; after: Date }>({
    name: 'candle-gaps',
    text: `SELECT symbol, open_time AS before, next AS after FROM (
        SELECT symbol, open_time, lead(open_time) OVER (PARTITION BY symbol ORDER BY open_time) AS next
        FROM ohlcv_candle WHERE exchange = $1 AND symbol = ANY($2) AND timeframe = $3 AND open_time >= $4
      ) AS candle WHERE next - open_time > $5 * interval '1 millisecond' ORDER BY next DESC, symbol`,
    values: [
      ...[exchange.name, series.map(({ symbol }) => symbol), timeframe],
      ...[new Date(exchange.time() - LONGEST_AGO_MS), span],
    ],
  });
  return rows.map(({ symbol, before, after }) => ({
    ...{ symbol, timeframe },
    from: before.getTime() + span,
    to: after.getTime() - span,
  }));
}
