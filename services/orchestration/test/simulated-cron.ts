/** A cron entry as its fields were meant, beside how they are written. */
export interface Entry {
  expression: string;
  minutes: readonly number[];
  hours: readonly number[];
  days?: readonly number[];
  months?: readonly number[];
  weekdays?: readonly number[];
  /** A wildcard or a step stands in minute or hour. */
  goesByElapsedTime: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Longer than any change of clocks. */
const WARM_UP = 30 * HOUR;

/** From the zone's name of its offset, e.g. `GMT-09:30`. */
function offsetsOf(zone: string): (at: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(clock.format(at)) ?? [];
    const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE;
    return sign === '-' ? -size : size;
  };
}

interface Shown {
  at: number;
  wall: number;
}

/** What the clocks of a zone show, minute by minute. */
export function minutesOf(zone: string, from: number, to: number): Shown[] {
  const offsetAt = offsetsOf(zone);
  const minutes: Shown[] = [];
  for (let hour = from; hour < to; hour += HOUR) {
    const isEven = offsetAt(hour) === offsetAt(hour + HOUR);
    let offset = offsetAt(hour);
    for (let at = hour; at < Math.min(hour + HOUR, to); at += MINUTE) {
      if (!isEven) offset = offsetAt(at);
      minutes.push({ at, wall: at + offset });
    }
  }
  return minutes;
}

/** The hours in which the clocks of a zone were changed. */
export function changesOf(zone: string, from: number, to: number): number[] {
  const offsetAt = offsetsOf(zone);
  const changes: number[] = [];
  for (let hour = from; hour < to; hour += HOUR) {
    if (offsetAt(hour) !== offsetAt(hour + HOUR)) changes.push(hour);
  }
  return changes;
}

function matches(entry: Entry, wall: number): boolean {
  const { minutes, hours, days, months, weekdays } = entry;
  if (!minutes.includes((wall / MINUTE) % 60)) return false;
  const shown = new Date(wall);
  if (!hours.includes(shown.getUTCHours())) return false;
  if (months && !months.includes(shown.getUTCMonth() + 1)) return false;
  const onDay = days?.includes(shown.getUTCDate());
  const onWeekday = weekdays?.includes(shown.getUTCDay());
  return onDay === undefined && onWeekday === undefined ? true : Boolean(onDay || onWeekday);
}

/**
 * When cron starts an entry in `from` … `to`, found as Vixie's cron finds it, by looking at the clock each minute:
 * what goes by elapsed time starts when the clock shows its time; what has fixed times starts when the clock passes
 * one, by a minute or by a jump, and not when it comes by again.
 */
export function simulateCron(entry: Entry, minutes: readonly Shown[], from: number): number[] {
  const started: number[] = [];
  let passed = (minutes[0] as Shown).wall;
  for (const { at, wall } of minutes) {
    let starts = entry.goesByElapsedTime && matches(entry, wall);
    if (!entry.goesByElapsedTime) {
      for (let time = passed + MINUTE; time <= wall; time += MINUTE)
        starts ||= matches(entry, time);
    }
    passed = Math.max(passed, wall);
    if (starts && at >= from) started.push(at);
  }
  return started;
}

export const warmedUp = (zone: string, from: number, to: number) =>
  minutesOf(zone, from - WARM_UP, to);
