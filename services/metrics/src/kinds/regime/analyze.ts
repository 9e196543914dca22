import { CANDLES_WANTED } from '../../candles/candles';
import { type Candle, TIMEFRAME_MS, type Timeframe } from '../../exchange/port';
import { classify, type RegimeLabel, type Verdict } from './classify';
import { type Bar, type Indicators, measure, swingPerDay } from './indicators';

const CANDLES_NEEDED = 100;

export interface Analysis {
  label: RegimeLabel;
  confidence: number;
  scores: Verdict['scores'] | null;
  indicators: Indicators | null;
  candlesUsed: number;
  lastCandleAt: Date | null;
  reasons: string[];
}

/** Removes flat bars at the start, because 14 of them would make every later ADX value NaN. */
function withoutFlatStart(bars: readonly Bar[]): Bar[] {
  const first = bars[0];
  if (!first) return [];
  const moved = bars.findIndex(
    (bar) => bar.high !== bar.low || bar.close !== first.close || bar.high !== first.high,
  );
  return moved === -1 ? [] : bars.slice(moved);
}

export function analyze(candles: readonly Candle[], timeframe: Timeframe, now: number): Analysis {
  const used = candles.slice(-CANDLES_WANTED);
  const last = used.at(-1);
  const unknown = (reason: string): Analysis => ({
    label: 'unknown',
    confidence: 0,
    scores: null,
    indicators: null,
    candlesUsed: used.length,
    lastCandleAt: last ? new Date(last.openTime) : null,
    reasons: [reason],
  });
  if (used.length < CANDLES_NEEDED || !last) return unknown('insufficient_data');
  const span = TIMEFRAME_MS[timeframe];
  if (now - (last.openTime + span) > 2 * span) return unknown('stale');
  const holes = missingBefore(used, span);
  if (holes > MOST_HOLES * (used.length + holes)) return unknown(HOLES);
  const bars = used.map(({ high, low, close }) => ({
    high: Number(high),
    low: Number(low),
    close: Number(close),
  }));
  const moving = withoutFlatStart(bars);
  if (moving.length === 0) return unknown('flat');
  if (moving.length < CANDLES_NEEDED) return unknown('insufficient_data');
  const closes = moving.map(({ close }) => close);
  const indicators = { ...measure(moving), swing_per_day: swingPerDay(closes, span) };
  if (Object.values(indicators).some((value) => !Number.isFinite(value))) {
    return unknown('insufficient_data');
  }
  const { label, confidence, scores, reasons } = classify(indicators);
  const lastCandleAt = new Date(last.openTime);
  return {
    label,
    confidence,
    scores,
    indicators,
    candlesUsed: moving.length,
    lastCandleAt,
    reasons: holes > 0 ? [...reasons, HOLES] : reasons,
  };
}

const HOLES = 'history_has_holes';
/** Largest share of the period that may be missing; larger gaps could hide a move. */
const MOST_HOLES = 0.1;

function missingBefore(candles: readonly Candle[], span: number): number {
  const [first, last] = [candles[0], candles.at(-1)];
  if (!first || !last) return 0;
  return (last.openTime - first.openTime) / span + 1 - candles.length;
}
