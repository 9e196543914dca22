import type { CatchUpPolicy } from '@switchyard/types';
import { nextTime, pastTimes, type Schedule } from './next-times';

/** What lies further back than this was missed; what lies nearer is only late, and fires. */
export const LATE_MS = 60_000;

export interface CatchUpPlan {
  /** The times that fire now, oldest first. */
  fire: number[];
  /** When the schedule is due next, always in the future; null when never. */
  nextRunAt: number | null;
}

/**
 * What a schedule that was due at `dueAt` makes up for at `now`. `skip_missed` drops what was
 * missed; `enqueue_missed_with_cap` keeps the latest `cap` times.
 * @throws Error for an expression or a zone that cannot be read
 */
export function planCatchUp(
  schedule: Schedule,
  policy: CatchUpPolicy,
  at: { dueAt: number; now: number; cap: number },
): CatchUpPlan {
  const { dueAt, now, cap } = at;
  const nextRunAt = nextTime(schedule, now);
  const from = policy === 'skip_missed' ? Math.max(dueAt, now - LATE_MS + 1) : dueAt;
  if (dueAt > now) return { fire: [], nextRunAt };
  const fire = pastTimes(schedule, from, now, cap);
  // What was announced fires, also where the rules of its zone have changed since.
  if (from === dueAt && fire[0] !== dueAt && fire.length < cap) fire.unshift(dueAt);
  return { fire, nextRunAt };
}
