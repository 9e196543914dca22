import { evenTimes, type WallTime } from './local-time';
import { type Cron, parseCron } from './parse-cron';

export interface Schedule {
  cronExpression: string;
  timezone: string;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Number of days to search, because some leap days are eight years apart. */
const MAX_DAYS = 3_000;

/**
 * Returns times in increasing order, fewer than `count` if no further times exist.
 * @throws Error for an invalid expression or zone
 */
export function nextTimes(schedule: Schedule, after: number, count: number): number[] {
  const cron = parseCron(schedule.cronExpression);
  const times: number[] = [];
  let idle = 0;
  for (const [day, isNear] of daysFrom(cron, after, 1)) {
    if (++idle > MAX_DAYS) break;
    if (!isNear) continue;
    for (const time of timesOfDay(cron, schedule.timezone, day)) {
      if (time <= after) continue;
      times.push(time);
      if (times.length >= count) return times;
      idle = 0;
    }
  }
  return times;
}

export function nextTime(schedule: Schedule, after: number): number | null {
  return nextTimes(schedule, after, 1)[0] ?? null;
}

export function pastTimes(schedule: Schedule, from: number, to: number, count: number): number[] {
  const cron = parseCron(schedule.cronExpression);
  let times: number[] = [];
  for (const [day, isNear] of daysFrom(cron, to, -1)) {
    if (day + DAY <= from || times.length >= count) break;
    if (!isNear) continue;
    const ofDay = [...timesOfDay(cron, schedule.timezone, day)];
    times = [...ofDay.filter((time) => time >= from && time <= to), ...times];
  }
  return times.slice(-count);
}

function* daysFrom(
  cron: Cron,
  from: number,
  step: 1 | -1,
): Generator<[day: number, near: boolean]> {
  let day = Math.floor(from / DAY) * DAY;
  let before = matchesDay(cron, day - step * DAY);
  let on = matchesDay(cron, day);
  for (; ; day += step * DAY) {
    const after = matchesDay(cron, day + step * DAY);
    yield [day, before || on || after];
    [before, on] = [on, after];
  }
}

/**
 * Handles changes of the clock as Vixie's cron does. Intervals fire at each matching local time. A
 * fixed time fires once, even if its hour is repeated. If its hour is skipped, a fixed time fires
 * at the end of the skipped hour.
 */
function* timesOfDay(cron: Cron, zone: string, day: number): Generator<number> {
  for (const { from, to, offset, unseen } of evenTimes(zone, day, day + DAY)) {
    let first = from + offset;
    if (cron.hasFixedTimes && unseen < first && !wallTimes(cron, unseen, first).next().done) {
      yield from;
      first += MINUTE;
    }
    if (cron.hasFixedTimes) first = Math.max(first, unseen);
    for (const wall of wallTimes(cron, first, to + offset)) yield wall - offset;
  }
}

function* wallTimes(cron: Cron, from: WallTime, to: WallTime): Generator<WallTime> {
  for (let day = Math.floor(from / DAY) * DAY; day < to; day += DAY) {
    if (!matchesDay(cron, day)) continue;
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const wall = day + (hour * 60 + minute) * MINUTE;
        if (wall >= from && wall < to) yield wall;
      }
    }
  }
}

function matchesDay(cron: Cron, time: number): boolean {
  const day = new Date(time);
  if (!cron.months.has(day.getUTCMonth() + 1)) return false;
  const byDate = cron.days.has(day.getUTCDate());
  const byWeekday = cron.weekdays.has(day.getUTCDay());
  return cron.eitherDay ? byDate || byWeekday : byDate && byWeekday;
}
