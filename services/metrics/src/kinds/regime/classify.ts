import type { Indicators } from './indicators';

export const REGIME_LABELS = [
  'trending_up',
  'trending_down',
  'ranging',
  'volatile',
  'indeterminate',
  'unknown',
] as const;

export type RegimeLabel = (typeof REGIME_LABELS)[number];

export const ALGORITHM_VERSION = 'four-votes-1';

const linear = (x: number, from: number, to: number) =>
  Math.min(1, Math.max(0, (x - from) / (to - from)));

const mean = (...votes: number[]) => votes.reduce((sum, vote) => sum + vote, 0) / votes.length;

function scoresOf(values: Indicators) {
  const slope = Math.abs(values.ema_slope);
  return {
    trend: mean(
      linear(values.adx, 20, 30),
      linear(-values.chop, -50, -30),
      linear(slope, 0.05, 0.25),
      linear(values.efficiency_ratio, 0.15, 0.45),
    ),
    range: mean(
      linear(-values.adx, -25, -15),
      linear(values.chop, 38.2, 61.8),
      linear(-slope, -0.15, -0.02),
      linear(-values.efficiency_ratio, -0.35, -0.05),
    ),
    volatility: Math.min(linear(values.atr_ratio, 1.25, 2), linear(values.atr_rank, 0.9, 1)),
  };
}

export interface Verdict {
  label: RegimeLabel;
  confidence: number;
  scores: ReturnType<typeof scoresOf>;
  reasons: string[];
}

export function classify(values: Indicators): Verdict {
  const scores = scoresOf(values);
  const direction = values.plus_di - values.minus_di;
  const agrees = Math.sign(values.ema_slope) === Math.sign(direction);
  const shown = (value: number) => value.toFixed(2);
  const verdict = (label: RegimeLabel, confidence: number, reason: string): Verdict => ({
    label,
    confidence,
    scores,
    reasons: [
      reason,
      `adx ${shown(values.adx)}, choppiness ${shown(values.chop)}, slope ${shown(values.ema_slope)}, efficiency ${shown(values.efficiency_ratio)}`,
    ],
  });
  if (scores.trend >= 0.6 && agrees) {
    const label = values.ema_slope > 0 ? 'trending_up' : 'trending_down';
    return verdict(label, scores.trend, `trend score ${shown(scores.trend)} reaches 0.60`);
  }
  if (scores.volatility >= 0.5) {
    const reason = `volatility score ${shown(scores.volatility)} reaches 0.50`;
    return verdict('volatile', scores.volatility, reason);
  }
  if (scores.range >= 0.5) {
    return verdict('ranging', scores.range, `range score ${shown(scores.range)} reaches 0.50`);
  }
  const best = Math.max(scores.trend, scores.range, scores.volatility);
  return verdict('indeterminate', 1 - best, 'no score reaches its threshold');
}
