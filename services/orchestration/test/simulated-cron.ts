export interface Entry {
  expression: string;
  minutes: readonly number[];
  hours: readonly number[];
  days?: readonly number[];
  months?: readonly number[];
  weekdays?: readonly number[];
  goesByElapsedTime: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOUR_OF_MINUTES = 60;
const DAY_OF_MINUTES = 24 * HOUR_OF_MINUTES;
const WARM_UP = 30 * HOUR;

function offsetsOf(zone: string): (at: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (at) => {
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(clock.format(at)) ?? [];
    const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE;
    return sign === '-' ? -size : size;
  };
}

/**
 * Local time of a zone, in minutes, for each minute from `first` on; a typed array, because two
 * years have a million minutes.
 */
export interface Shown {
  first: number;
  walls: Int32Array;
}

function minutesOf(zone: string, from: number, to: number): Shown {
  const offsetAt = offsetsOf(zone);
  const first = from / MINUTE;
  const walls = new Int32Array(to / MINUTE - first);
  let offset = offsetAt(from);
  for (let hour = from; hour < to; hour += HOUR) {
    const next = offsetAt(hour + HOUR);
    const isEven = offset === next;
    const end = Math.min(hour + HOUR, to);
    for (let at = hour; at < end; at += MINUTE) {
      if (!isEven) offset = offsetAt(at);
      walls[at / MINUTE - first] = (at + offset) / MINUTE;
    }
    offset = next;
  }
  return { first, walls };
}

export function changesOf(zone: string, from: number, to: number): number[] {
  const offsetAt = offsetsOf(zone);
  const changes: number[] = [];
  let offset = offsetAt(from);
  for (let hour = from; hour < to; hour += HOUR) {
    const next = offsetAt(hour + HOUR);
    if (offset !== next) changes.push(hour);
    offset = next;
  }
  return changes;
}

function matcherOf(entry: Entry): (wall: number) => boolean {
  const { minutes, hours, days, months, weekdays } = entry;
  const isTime = Array.from({ length: DAY_OF_MINUTES }, (_, minute) => {
    const hour = Math.floor(minute / HOUR_OF_MINUTES);
    return minutes.includes(minute % HOUR_OF_MINUTES) && hours.includes(hour);
  });
  return (wall) => {
    if (!isTime[wall % DAY_OF_MINUTES]) return false;
    const shown = new Date(wall * MINUTE);
    if (months && !months.includes(shown.getUTCMonth() + 1)) return false;
    const onDay = days?.includes(shown.getUTCDate());
    const onWeekday = weekdays?.includes(shown.getUTCDay());
    return onDay === undefined && onWeekday === undefined ? true : Boolean(onDay || onWeekday);
  };
}

/**
 * Returns the times after `from` at which Vixie's cron starts an entry. Checks the clock each
 * minute: an interval starts whenever the clock shows its time. A fixed time starts once, when the
 * clock passes it, even by a jump.
 */
export function simulateCron(entry: Entry, { first, walls }: Shown, from: number): number[] {
  const matches = matcherOf(entry);
  const started: number[] = [];
  let passed = walls[0] as number;
  for (const [index, wall] of walls.entries()) {
    let starts = entry.goesByElapsedTime && matches(wall);
    if (!entry.goesByElapsedTime) {
      for (let time = passed + 1; time <= wall; time++) starts ||= matches(time);
    }
    if (wall > passed) passed = wall;
    const at = (first + index) * MINUTE;
    if (starts && at >= from) started.push(at);
  }
  return started;
}

export const warmedUp = (zone: string, from: number, to: number) =>
  minutesOf(zone, from - WARM_UP, to);
