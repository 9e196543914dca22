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
