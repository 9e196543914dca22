import type { CatchUpPolicy } from '@switchyard/types';
import { nextTime, pastTimes, type Schedule } from './next-times';

export const LATE_MS = 60_000;

export interface CatchUpPlan {
  fire: number[];
  nextRunAt: number | null;
}

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
  // Fires an announced time even if the rules of the time zone have changed since.
  if (from === dueAt && fire[0] !== dueAt && fire.length < cap) fire.unshift(dueAt);
  return { fire, nextRunAt };
}
