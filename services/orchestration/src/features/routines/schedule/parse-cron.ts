import { CronExpressionParser } from 'cron-parser';

export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
  /** In Vixie's cron, a match of either day field is enough if neither field begins with `*`. */
  eitherDay: boolean;
  /** True if minute and hour have no wildcard and no step; other schedules count elapsed time. */
  hasFixedTimes: boolean;
}

const VALUE = String.raw`(?:\d{1,3}|[A-Za-z]{3})`;
const PART = String.raw`(?:\*|${VALUE}(?:-${VALUE})?)(?:/\d{1,3})?`;
const FIELD = new RegExp(`^${PART}(?:,${PART})*$`);

const MAX_KNOWN = 1_000;
const known = new Map<string, Cron>();

/**
 * Accepts five fields with lists, ranges, steps and three-letter names. Rejects extensions
 * (seconds, `L`, `#`, `H`, `@daily`), because their meaning varies.
 * @throws Error with the reason
 */
export function parseCron(expression: string): Cron {
  const found = known.get(expression);
  if (found) return found;
  const cron = readCron(expression);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(expression, cron);
  return cron;
}

function readCron(expression: string): Cron {
  const spelled = expression.trim().split(/\s+/);
  if (spelled.length !== FIELDS.length || !spelled.every((field) => FIELD.test(field))) {
    throw new Error(
      'must have five fields (minute, hour, day, month, weekday), each of *, numbers, three-letter names, ranges, lists or steps',
    );
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = spelled.map(valuesOf);
  const [minute, hour, day, , weekday] = spelled as [string, string, string, string, string];
  return {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    weekdays: new Set(weekdays.map((value) => value % 7)),
    hasFixedTimes: !/[*/]/.test(minute + hour),
    eitherDay: !day.startsWith('*') && !weekday.startsWith('*'),
  };
}

const FIELDS = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;

/**
 * Parses each list element separately, because the library rejects overlaps (`0,7`), which cron
 * accepts.
 */
function valuesOf(field: string, at: number): number[] {
  const name = FIELDS[at] as (typeof FIELDS)[number];
  const parts = field.split(',').flatMap((part) => {
    const alone = FIELDS.map((_, index) => (index === at ? part : '*')).join(' ');
    return CronExpressionParser.parse(alone, { tz: 'UTC' }).fields[name].values.map(Number);
  });
  return [...new Set(parts)].sort((a, b) => a - b);
}
