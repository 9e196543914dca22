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
 * Confirms a label after three equal ones on three different closed candles. Ignores repeated and
 * older candles.
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
 * Scores below which a confirmed label ends: less than half of the scores at which it starts. This
 * lowers the label changes per 1,000 hours from 60 to 20 in a random walk, and from 38 to 5 in a
 * slowly reverting range.
 */
const ENDS_BELOW = { trend: 0.25, range: 0.2, volatility: 0.2 };

const SCORE_OF: Partial<Record<string, keyof typeof ENDS_BELOW>> = {
  trending_up: 'trend',
  trending_down: 'trend',
  ranging: 'range',
  volatile: 'volatility',
};

/**
 * Returns the confirmation after an analysis. `unknown` contains no information, so it does not
 * confirm or interrupt a label. While no score is high enough for another label, the confirmed
 * label stays until its score falls below `ENDS_BELOW`.
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
