/** What a clock on the wall shows, as the milliseconds of the UTC time that is written the same. */
export type WallTime = number;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** More than any zone has names; keeps odd spellings from filling the memory. */
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

/** True for a name of the time-zone database that this runtime knows; bare offsets are no zones. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone)) return false;
  try {
    clockOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** @throws RangeError for a zone that the runtime does not know */
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

/** The first instant after `from` at which the offset is no longer that of `from`. */
function transition(zone: string, from: number, to: number): number {
  const before = offsetAt(zone, from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The one instant that a wall time means (guarantee G15): the first of two when clocks were set back, and
 * the end of the gap when clocks were set forward over it.
 */
export function instantOf(zone: string, wall: WallTime): number {
  const earlier = offsetAt(zone, wall - DAY);
  const later = offsetAt(zone, wall + DAY);
  if (earlier === later) return wall - earlier;
  const candidates = [wall - earlier, wall - later].sort((a, b) => a - b);
  const real = candidates.find((instant) => wallTimeOf(zone, instant) === wall);
  return (
    real ??
    transition(zone, wall - Math.max(earlier, later) - HOUR, wall - Math.min(earlier, later) + HOUR)
  );
}

/**
 * The latest wall time that a clock may have shown up to now: while the clock repeats an hour, that is more
 * than it shows at present.
 */
export function latestWallTime(zone: string, instant: number): WallTime {
  const setBack = offsetAt(zone, instant - 3 * HOUR) - offsetAt(zone, instant);
  return wallTimeOf(zone, instant) + Math.max(0, setBack);
}
