import type { Answer, Outcome } from './outbox';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Schedule of the Standard Webhooks specification: nine retries within 75 hours. */
const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Share of each pause that is added at most, so that a recovered receiver does not get all requests
 * at the same time.
 */
const JITTER = 0.1;

export function decideOutcome(
  answer: Answer,
  attempts: number,
  retryAfterMs: number | undefined,
  random: number,
): Outcome {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) return { ...answer, kind: 'delivered' };
  if (status === 410) return { ...answer, kind: 'gone' };
  const pause = PAUSES_MS[attempts];
  if (pause === undefined) return { ...answer, kind: 'given_up' };
  const afterMs = Math.max(pause, retryAfterMs ?? 0) * (1 + random * JITTER);
  return { ...answer, kind: 'retry', afterMs: Math.round(afterMs) };
}
