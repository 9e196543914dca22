import { toString as describeCron } from 'cronstrue';
import { type Cron, parseCron } from './parse-cron';

/**
 * Returns e.g. `At 08:00, Monday through Friday (Europe/Berlin)`, or an unreadable expression
 * unchanged.
 */
export function describeSchedule(cronExpression: string, timezone: string): string {
  return `${wordsOf(cronExpression)} (${timezone})`;
}

const MAX_KNOWN = 1_000;
const known = new Map<string, string>();

function wordsOf(expression: string): string {
  const found = known.get(expression);
  if (found !== undefined) return found;
  const words = describe(expression);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(expression, words);
  return words;
}

function describe(expression: string): string {
  try {
    const logicalAndDayFields = !parseCron(expression).eitherDay;
    return describeCron(plainestCron(expression), {
      use24HourTimeFormat: true,
      logicalAndDayFields,
    });
  } catch {
    return expression;
  }
}

/**
 * Normalises the expression, because the library describes it literally: it calls a step of 90
 * minutes "every 90 minutes", although such a schedule fires every hour.
 * @throws Error as `parseCron`
 */
export function plainestCron(expression: string): string {
  const cron = parseCron(expression);
  const { days, weekdays } = datesOf(cron);
  return [
    field(cron.minutes, 0, 59, 'steps'),
    field(cron.hours, 0, 23, 'steps'),
    field(days, 1, 31),
    field([...cron.months], 1, 12),
    field(weekdays, 0, 6),
  ].join(' ');
}

/** Matches every day if a match of either day field is enough and one field covers every day. */
function datesOf({ days, weekdays, months, eitherDay }: Cron) {
  const everyDate = days.size >= Math.max(...[...months].map((month) => LONGEST[month - 1] ?? 0));
  const isEvery = eitherDay && (everyDate || weekdays.size === 7);
  return {
    days: isEvery || everyDate ? ALL_DATES : [...days],
    weekdays: isEvery ? ALL_WEEKDAYS : [...weekdays],
  };
}

const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ALL_DATES = Array.from({ length: 31 }, (_, at) => at + 1);
const ALL_WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

function field(found: readonly number[], first: number, last: number, steps?: 'steps'): string {
  const values = [...new Set(found)].sort((a, b) => a - b);
  const size = last - first + 1;
  if (values.length === size) return '*';
  const step = size / values.length;
  const isEven = Number.isInteger(step) && values.every((value, at) => value === first + at * step);
  if (steps && isEven && values.length > 1) return `*/${step}`;
  return runsOf(values)
    .map(([from, to]) => (to - from < 2 ? range(from, to).join() : `${from}-${to}`))
    .join();
}

const range = (from: number, to: number) => (from === to ? [from] : [from, to]);

function runsOf(values: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && run[1] === value - 1) run[1] = value;
    else runs.push([value, value]);
  }
  return runs;
}
