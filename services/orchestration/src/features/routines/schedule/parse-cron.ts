import { CronExpressionParser } from 'cron-parser';

/** The values of the five fields; days of the week from 0, Sunday, to 6. */
export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
  /** When both days are restricted, one of the two is enough; that is what cron has always done. */
  eitherDay: boolean;
  /** No wildcard and no step stands in minute or hour; all else goes by elapsed time. */
  hasFixedTimes: boolean;
}

const FIELD = String.raw`[\d*/,-]*(?:[A-Za-z]{3}[\d*/,-]*)*`;
const FIVE_FIELDS = new RegExp(`^${[FIELD, FIELD, FIELD, FIELD, FIELD].join(' ')}$`);

/** Enough for what one instance has; keeps other spellings from filling the memory. */
const MAX_KNOWN = 1_000;
const known = new Map<string, Cron>();

/**
 * Reads five fields with lists, ranges, steps and three-letter names. The library's further signs (seconds,
 * `L`, `#`, `H`, `@daily`) are refused, because not every cron means the same by them.
 * @throws Error that says what is wrong
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
  const spelled = expression.trim().split(/\s+/).join(' ');
  if (!FIVE_FIELDS.test(spelled)) throw new Error('must have five fields of numbers and names');
  const { fields } = CronExpressionParser.parse(spelled, { tz: 'UTC' });
  const numbers = (values: readonly (number | string)[]) => values.map(Number);
  return {
    minutes: numbers(fields.minute.values),
    hours: numbers(fields.hour.values),
    days: new Set(numbers(fields.dayOfMonth.values)),
    months: new Set(numbers(fields.month.values)),
    weekdays: new Set(numbers(fields.dayOfWeek.values).map((day) => day % 7)),
    hasFixedTimes: !/[*/]/.test(spelled.split(' ', 2).join(' ')),
    eitherDay: !fields.dayOfMonth.isWildcard && !fields.dayOfWeek.isWildcard,
  };
}
