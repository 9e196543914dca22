const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const DATED =
  /(?:again at|resets?(?: at| on)?) ([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:st|nd|rd|th)?,? (?:(\d{4}),? )?(?:at )?(\d{1,2})(?::(\d{2}))? ?([AP]M)/i;
const CLOCK = /(?:again at|resets?(?: at)?) (\d{1,2})(?::(\d{2}))? ?([AP]M)/i;
const ZONE = /^[^(\n]{0,10}\(([A-Za-z][A-Za-z0-9_+/-]{1,60})\)/;

const UNIT = '(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|ms)(?![a-z])';
const DURATION = new RegExp(
  `(?:again|resets?) in ((?:\\d{1,9}(?:\\.\\d{1,9})? ?${UNIT},? ?(?:and )?){1,5})`,
  'i',
);
const PART = /(\d+(?:\.\d+)?) ?([a-z]+)/gi;
const UNITS: [RegExp, number][] = [
  [/^ms/, 1],
  [/^d/, 86_400_000],
  [/^h/, 3_600_000],
  [/^m/, 60_000],
  [/^s/, 1_000],
];
const IN_SECONDS = /\bresets_in_seconds["']?\s{0,3}[:=]\s{0,3}(\d{1,9})\b/;
const AT_SECONDS = /\bresets_at["']?\s{0,3}[:=]\s{0,3}(\d{10})\b|limit reached\|(\d{10})\b/;

/**
 * Parses the end of a limit: "try again in 5 days 22 hours", "try again at 8:08 AM", "… at Nov
 * 22nd, 2026 8:08 AM", "resets 3pm (America/Los_Angeles)", `resets_in_seconds`, "limit
 * reached|1751407200". A time without a zone is local. Returns the end of the minute, because tools
 * omit seconds.
 */
export function parseResetTime(text: string, now: Date): Date | undefined {
  const at = AT_SECONDS.exec(text);
  if (at) return new Date(Number(at[1] ?? at[2]) * 1_000);
  const after = IN_SECONDS.exec(text);
  if (after) return new Date(now.getTime() + Number(after[1]) * 1_000);
  const lasting = DURATION.exec(text)?.[1];
  if (lasting) return new Date(now.getTime() + milliseconds(lasting));
  return parseClock(text, now);
}

function milliseconds(duration: string): number {
  let sum = 0;
  for (const [, count, unit = ''] of duration.matchAll(PART)) {
    const factor = UNITS.find(([name]) => name.test(unit.toLowerCase()))?.[1] ?? 0;
    sum += Number(count) * factor;
  }
  return sum;
}

function parseClock(text: string, now: Date): Date | undefined {
  const dated = DATED.exec(text);
  const found = dated ?? CLOCK.exec(text);
  if (!found) return undefined;
  const zone = zoneBehind(text.slice(found.index + found[0].length));
  const today = new Date(wallClock(now, zone));
  const thisYear = today.getUTCFullYear();
  const [hour = '', minute = '0', half = ''] = found.slice(-3);
  const at = (year: number, month: number, day: number) =>
    instantOf(Date.UTC(year, month, day, hours(hour, half), Number(minute) + 1), zone);
  if (!dated) {
    const on = (day: number) => at(thisYear, today.getUTCMonth(), day);
    const first = on(today.getUTCDate());
    return first > now ? first : on(today.getUTCDate() + 1);
  }
  const [, name = '', day, year] = dated;
  const month = MONTHS.indexOf(name.toLowerCase());
  if (month < 0) return undefined;
  if (year) return at(Number(year), month, Number(day));
  const first = at(thisYear, month, Number(day));
  return first > now ? first : at(thisYear + 1, month, Number(day));
}

function hours(hour: string, half: string): number {
  return (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
}

function zoneBehind(text: string): string | undefined {
  const name = ZONE.exec(text)?.[1];
  if (!name) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Returns the zone's local time in ms, encoded as if it were UTC. */
function wallClock(at: Date, zone: string | undefined): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
}

function instantOf(wall: number, zone: string | undefined): Date {
  const offset = (at: number) => wallClock(new Date(at), zone) - at;
  const near = wall - offset(wall);
  return new Date(wall - offset(near));
}
