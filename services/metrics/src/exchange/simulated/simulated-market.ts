import { decimal } from '../../decimal';
import { type Candle, type Market, TIMEFRAME_MS, type Ticker, type Timeframe } from '../port';
import { hash, smooth } from './noise';
import { createPricePath, type PricePath, SIMULATED_MARKETS } from './price-path';

const SAMPLES = 12;
const DAY = 86_400_000;
const CACHED_CANDLES = 2_000;

export type SimulatedMarket = ReturnType<typeof createSimulatedMarket>;

export function createSimulatedMarket(seed: number, symbol: string) {
  const listed = SIMULATED_MARKETS[symbol];
  if (!listed) throw new Error(`the simulated exchange has no market ${symbol}`);
  const own = hash(symbol, seed, 99);
  const path: PricePath = createPricePath(seed, symbol);
  const [base = '', quote = ''] = symbol.split('/');
  const { tick, step } = listed;
  const named = { symbol, base, quote, minAmount: step, minCost: '5' };
  const market = steppedMarket(named, { tick, step });
  const places = tick.length - 2;
  const price = (value: number) => value.toFixed(places);
  const closed = new Map<string, Candle>();

  const volumeAt = (time: number, span: number) =>
    ((400_000 + (hash(symbol, seed, Math.floor(time / span)) % 200_000)) * span) /
    TIMEFRAME_MS['1h'] /
    listed.price;

  const candle = (openTime: number, timeframe: Timeframe, until: number): Candle => {
    const key = `${timeframe} ${openTime}`;
    const known = closed.get(key);
    if (known) return known;
    const span = TIMEFRAME_MS[timeframe];
    const end = Math.min(openTime + span, until);
    const prices = Array.from({ length: SAMPLES + 1 }, (_, index) =>
      path(openTime + ((end - openTime) * index) / SAMPLES),
    );
    const made = {
      openTime,
      open: price(prices[0] as number),
      high: price(Math.max(...prices)),
      low: price(Math.min(...prices)),
      close: price(prices[SAMPLES] as number),
      volume: volumeAt(openTime, span).toFixed(8),
    };
    if (end === openTime + span) {
      if (closed.size >= CACHED_CANDLES) closed.clear();
      closed.set(key, made);
    }
    return made;
  };

  const candles = (timeframe: Timeframe, limit: number, now: number): Candle[] => {
    const span = TIMEFRAME_MS[timeframe];
    const last = Math.floor(now / span) * span;
    return Array.from({ length: limit }, (_, index) =>
      candle(last - (limit - 1 - index) * span, timeframe, now),
    );
  };

  const ticker = (now: number): Ticker => {
    const last = path(now);
    const width = 1.8 + 0.8 * smooth(own, now / TIMEFRAME_MS['1h'], 1.5);
    const half = (last * width) / 20_000;
    const minimum = Number(tick) / 2;
    const day = candles('1h', 25, now);
    const volume = day.reduce((sum, { volume: one }) => sum.plus(one), decimal(0));
    return {
      symbol,
      time: now,
      last: price(last),
      bid: decimal(last).minus(Math.max(half, minimum)).toFixed(places, 3),
      ask: decimal(last).plus(Math.max(half, minimum)).toFixed(places, 2),
      open: price(path(now - DAY)),
      high: price(Math.max(last, ...day.map(({ high }) => Number(high)))),
      low: price(Math.min(last, ...day.map(({ low }) => Number(low)))),
      baseVolume: volume.toFixed(8),
      quoteVolume: volume.times(last).toFixed(8),
    };
  };

  return { market, path, candles, ticker };
}

export function steppedMarket(
  named: Pick<Market, 'symbol' | 'base' | 'quote' | 'minAmount' | 'minCost'>,
  { tick, step }: { tick: string; step: string },
): Market {
  return {
    ...named,
    tickAt: () => tick,
    roundPrice: (price) => price.div(tick).round().times(tick),
    cutAmount: (amount) => amount.div(step).floor().times(decimal(step)),
  };
}
