import type { Analysis } from './analyze';
import type { RegimeLabel } from './classify';

const CANDLES_TO_CONFIRM = 3;

export interface Confirmation {
  confirmedLabel: string | null;
  candidateLabel: string;
  candidateCount: number;
  lastCandleAt: Date;
}

/**
 * A label is confirmed after three equal ones on three different closed candles, however often each candle
 * was looked at; a candle older than the last one counts for nothing.
 */
export function confirm(
  before: Confirmation | null,
  label: RegimeLabel,
  lastCandleAt: Date,
): Confirmation {
  if (before && lastCandleAt.getTime() <= before.lastCandleAt.getTime()) return before;
  const candidateCount = before?.candidateLabel === label ? before.candidateCount + 1 : 1;
  const isConfirmed = candidateCount >= CANDLES_TO_CONFIRM;
  return {
    confirmedLabel: isConfirmed ? label : (before?.confirmedLabel ?? null),
    candidateLabel: label,
    candidateCount,
    lastCandleAt,
  };
}

/**
 * Scores below which a confirmed label ends: less than half of those at which it begins. In 1,000 hours of a random walk the
 * label then changes 20 times in place of 60, and in a range that comes back slowly 5 times in place of 38.
 */
const ENDS_BELOW = { trend: 0.25, range: 0.2, volatility: 0.2 };

const SCORE_OF: Partial<Record<string, keyof typeof ENDS_BELOW>> = {
  trending_up: 'trend',
  trending_down: 'trend',
  ranging: 'range',
  volatile: 'volatility',
};

/**
 * Returns the confirmation after an analysis. `unknown` says nothing about the market, so it neither confirms nor
 * interrupts. Where no score reaches its mark, the confirmed label holds while its own score has not fallen clearly below.
 */
export function confirmAnalysis(
  before: Confirmation | null,
  { label, lastCandleAt, scores }: Pick<Analysis, 'label' | 'lastCandleAt' | 'scores'>,
): Confirmation | null {
  if (label === 'unknown' || !lastCandleAt) return before;
  const last = (before?.confirmedLabel ?? label) as RegimeLabel;
  const score = SCORE_OF[last];
  const holds = label === 'indeterminate' && score && scores && scores[score] >= ENDS_BELOW[score];
  return confirm(before, holds ? last : label, lastCandleAt);
}
