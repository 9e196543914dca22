import fc from 'fast-check';
import { describeSchedule, plainestCron } from './describe-schedule';
import { nextTimes } from './next-times';
import { parseCron } from './parse-cron';

const START = Date.parse('2026-01-01T00:00:00Z');

function field(first: number, last: number): fc.Arbitrary<string> {
  const value = fc.integer({ min: first, max: last });
  const span = fc.tuple(value, value).map((pair) => `${Math.min(...pair)}-${Math.max(...pair)}`);
  const step = fc.integer({ min: 1, max: last + 40 });
  const part = fc.oneof(
    value.map(String),
    span,
    fc.tuple(span, step).map(([text, by]) => `${text}/${by}`),
    step.map((by) => `*/${by}`),
  );
  return fc.oneof(
    fc.constant('*'),
    part,
    fc
      .uniqueArray(fc.integer({ min: first, max: Math.min(last, 6) }), { minLength: 1 })
      .map(String),
    fc.array(part, { minLength: 2, maxLength: 3 }).map(String),
  );
}

function plainest(expression: string): string {
  const [minute, hour, day = '', month, weekday = ''] = plainestCron(expression).split(' ');
  if (parseCron(expression).eitherDay || day === '*' || weekday === '*') {
    return [minute, hour, day, month, weekday].join(' ');
  }
  const byDay = expression.split(' ')[2]?.startsWith('*');
  return [
    minute,
    hour,
    byDay ? `*/31,${day}` : day,
    month,
    byDay ? weekday : `*/7,${weekday}`,
  ].join(' ');
}

const expressions = fc
  .tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7))
  .map((fields) => fields.join(' '));

describe('describeSchedule', () => {
  it.each([
    ['0 8 * * 1-5', 'At 08:00, Monday through Friday'],
    ['0 8 * * mon-FRI', 'At 08:00, Monday through Friday'],
    ['30 4,16 * * *', 'At 04:30 and 16:30'],
    ['*/15 * * * *', 'Every 15 minutes'],
    ['*/90 * * * *', 'Every hour'],
    ['* * * * *', 'Every minute'],
    ['0 */5 * * *', 'At 00:00, 05:00, 10:00, 15:00 and 20:00'],
    ['0 9-17 * * *', 'Every hour, between 09:00 and 17:00'],
    ['0 0 * * 7', 'At 00:00, only on Sunday'],
    ['0 8 1 * 1', 'At 08:00, on day 1 of the month, and on Monday'],
    ['0 8 1-31 * 1', 'At 08:00'],
    ['0 17 */1 * 1-5', 'At 17:00, Monday through Friday'],
    ['0 0 1-7 * */7', 'At 00:00, between day 1 and 7 of the month, only on Sunday'],
    ['0 0 * * 0,7', 'At 00:00, only on Sunday'],
    ['0 0 29 feb *', 'At 00:00, on day 29 of the month, only in February'],
  ])('describes %s as “%s”', (expression, words) => {
    expect(describeSchedule(expression, 'Europe/Berlin')).toBe(`${words} (Europe/Berlin)`);
  });

  it('returns an unsupported expression unchanged', () => {
    expect(describeSchedule('@daily', 'UTC')).toBe('@daily (UTC)');
  });

  it('simplifies any expression without changing its times', () => {
    fc.assert(
      fc.property(expressions, (expression) => {
        const times = (cronExpression: string) =>
          nextTimes({ cronExpression, timezone: 'UTC' }, START, 20);
        expect(times(plainest(expression))).toEqual(times(expression));
        expect(describeSchedule(expression, 'UTC')).not.toContain(expression);
      }),
      { numRuns: 300, seed: 20_261_122 },
    );
  });
});
