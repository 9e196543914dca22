import { instantOf, latestWallTime, type WallTime, wallTimeOf } from './local-time';
import { type Cron, parseCron } from './parse-cron';

export interface Schedule {
  cronExpression: string;
  timezone: string;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Longer than the eight years that can lie between two 29ths of February. */
const MAX_DAYS = 3_000;

function matchesDay(cron: Cron, day: Date): boolean {
  if (!cron.months.has(day.getUTCMonth() + 1)) return false;
  const byDate = cron.days.has(day.getUTCDate());
  const byWeekday = cron.weekdays.has(day.getUTCDay());
  return cron.eitherDay ? byDate || byWeekday : byDate && byWeekday;
}

/** The matching wall times of one day, in order of time or against it. */
function* timesOf(cron: Cron, day: number, step: 1 | -1): Generator<WallTime> {
  const order = (values: readonly number[]) => (step === 1 ? values : values.toReversed());
  for (const hour of order(cron.hours)) {
    for (const minute of order(cron.minutes)) yield day + (hour * 60 + minute) * MINUTE;
  }
}

/** Wall times beyond `from`, from it on or back; ends where nothing can match any more. */
function* wallTimes(cron: Cron, from: WallTime, step: 1 | -1): Generator<WallTime> {
  const first = Math.floor(from / DAY) * DAY;
  for (let days = 0, day = first; days < MAX_DAYS; days++, day += step * DAY) {
    if (!matchesDay(cron, new Date(day))) continue;
    for (const wall of timesOf(cron, day, step)) {
      if (day !== first || (step === 1 ? wall > from : wall <= from)) yield wall;
      days = 0;
    }
  }
}

/**
 * The next `count` times after `after`, fewer when there are none: strictly rising, each wall time once
 * (guarantee G15).
 * @throws Error for an expression or a zone that cannot be read
 */
export function nextTimes(schedule: Schedule, after: number, count: number): number[] {
  const { timezone } = schedule;
  const times: number[] = [];
  let last = after;
  for (const wall of wallTimes(
    parseCron(schedule.cronExpression),
    wallTimeOf(timezone, after),
    1,
  )) {
    const instant = instantOf(timezone, wall);
    if (instant <= last) continue;
    times.push(instant);
    last = instant;
    if (times.length >= count) break;
  }
  return times;
}

export function nextTime(schedule: Schedule, after: number): number | null {
  return nextTimes(schedule, after, 1)[0] ?? null;
}

/** The latest `count` times that lie in `from` … `to`, both included, oldest first. */
export function pastTimes(schedule: Schedule, from: number, to: number, count: number): number[] {
  const { timezone } = schedule;
  const times: number[] = [];
  const cron = parseCron(schedule.cronExpression);
  for (const wall of wallTimes(cron, latestWallTime(timezone, to), -1)) {
    const instant = instantOf(timezone, wall);
    if (instant < from || times.length >= count) break;
    if (instant <= to && instant !== times.at(-1)) times.push(instant);
  }
  return times.toReversed();
}
