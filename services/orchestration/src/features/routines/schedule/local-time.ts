/** Local clock time, encoded as the Unix time in ms at which a clock in UTC shows the same time. */
export type WallTime = number;

const DAY = 86_400_000;
/** Largest clock change: moves of the date line have skipped whole days. */
const LONGEST_CHANGE = DAY;
const MAX_ZONES = 1_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size >= MAX_ZONES) clocks.clear();
  clocks.set(zone, clock);
  return clock;
}

export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone)) return false;
  try {
    clockOf(zone);
    return true;
  } catch {
    return false;
  }
}

export function wallTimeOf(zone: string, instant: number): WallTime {
  const numbers = clockOf(zone).format(instant).match(/\d+/g) as string[];
  const [month, day, year, hour, minute, second] = numbers.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
}

const offsetAt = (zone: string, instant: number) => wallTimeOf(zone, instant) - instant;

function changeBetween(zone: string, from: number, to: number): number {
  const before = offsetAt(zone, from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

interface Change {
  at: number;
  offset: number;
}

function changesBetween(zone: string, from: number, to: number): Change[] {
  const changes: Change[] = [];
  let before = offsetAt(zone, from);
  for (let start = from; start < to; start += DAY) {
    const end = Math.min(start + DAY, to);
    const offset = offsetAt(zone, end);
    if (offset === before) continue;
    const at = changeBetween(zone, start, end);
    if (at < to) changes.push({ at, offset });
    before = offset;
  }
  return changes;
}

export interface EvenTime {
  from: number;
  to: number;
  offset: number;
  /** Earliest local time that clocks did not show before `from`. */
  unseen: WallTime;
}

export function evenTimes(zone: string, from: number, to: number): EvenTime[] {
  const start = from - LONGEST_CHANGE;
  const changes = changesBetween(zone, start, to);
  const before = changes.filter(({ at }) => at <= from);
  const after = changes.filter(({ at }) => at > from);
  let offset = offsetAt(zone, start);
  let unseen = Number.NEGATIVE_INFINITY;
  const pass = (change: Change) => {
    unseen = Math.max(unseen, change.at + offset);
    offset = change.offset;
  };
  before.forEach(pass);
  if (before.at(-1)?.at !== from) pass({ at: from, offset });
  const times = [{ from, to: after[0]?.at ?? to, offset, unseen }];
  for (const [index, change] of after.entries()) {
    pass(change);
    times.push({ from: change.at, to: after[index + 1]?.at ?? to, offset, unseen });
  }
  return times;
}
