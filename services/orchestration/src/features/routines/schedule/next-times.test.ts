import { Cron } from 'croner';
import fc from 'fast-check';
import { evenTimes, isTimeZone, wallTimeOf } from './local-time';
import { nextTimes, pastTimes } from './next-times';
import { parseCron } from './parse-cron';

const iso = (times: number[]) => times.map((time) => new Date(time).toISOString());
const at = (text: string) => Date.parse(text);
const schedule = (cronExpression: string, timezone = 'UTC') => ({ cronExpression, timezone });

const START = at('2026-01-01T00:00:00Z');
const END = at('2028-01-01T00:00:00Z');
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'];
const CHANGES: Record<string, string[]> = {
  'Europe/Berlin': ['2026-03-29', '2026-10-25', '2027-03-28', '2027-10-31'],
  'America/New_York': ['2026-03-08', '2026-11-01', '2027-03-14', '2027-11-07'],
  'Australia/Lord_Howe': ['2026-04-04', '2026-10-03', '2027-04-03', '2027-10-02'],
};

function oracle(expression: string, zone: string, from: number, to: number): number[] {
  const cron = new Cron(expression, { timezone: zone, fixedTimeRule: 'no-wildcard' });
  const times: number[] = [];
  let last: Date | null = new Date(from - 1_000);
  for (;;) {
    last = cron.nextRun(last);
    if (!last || last.getTime() >= to) return times;
    times.push(last.getTime());
  }
}

function ours(expression: string, zone: string, from: number, to: number): number[] {
  const times: number[] = [];
  for (;;) {
    const next = nextTimes(schedule(expression, zone), times.at(-1) ?? from - 1, 50);
    times.push(...next);
    if (next.length < 50 || (next.at(-1) as number) >= to) {
      return times.filter((time) => time < to);
    }
  }
}

describe('nextTimes', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:00Z', ['2026-01-01T00:01:00.000Z', '2026-01-01T00:02:00.000Z']],
    [
      '*/15 9 * * *',
      '2026-01-01T09:40:30Z',
      ['2026-01-01T09:45:00.000Z', '2026-01-02T09:00:00.000Z'],
    ],
    [
      '0 9 * * MON-FRI',
      '2026-01-02T09:00:00Z',
      ['2026-01-05T09:00:00.000Z', '2026-01-06T09:00:00.000Z'],
    ],
    [
      '0 0 1 jan,JUL *',
      '2026-01-01T00:00:00Z',
      ['2026-07-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ],
    ['0 0 * * 7', '2026-01-01T00:00:00Z', ['2026-01-04T00:00:00.000Z', '2026-01-11T00:00:00.000Z']],
    [
      '0 0 29 2 *',
      '2026-01-01T00:00:00Z',
      ['2028-02-29T00:00:00.000Z', '2032-02-29T00:00:00.000Z'],
    ],
    [
      '0 0 29 2 *',
      '2096-03-01T00:00:00Z',
      ['2104-02-29T00:00:00.000Z', '2108-02-29T00:00:00.000Z'],
    ],
    [
      '0 0 13 * FRI',
      '2026-01-01T00:00:00Z',
      ['2026-01-02T00:00:00.000Z', '2026-01-09T00:00:00.000Z'],
    ],
    [
      '0 17 */1 * 1-5',
      '2026-01-02T17:00:00Z',
      ['2026-01-05T17:00:00.000Z', '2026-01-06T17:00:00.000Z'],
    ],
    [
      '0 0 1-7 * */7',
      '2026-01-01T00:00:00Z',
      ['2026-01-04T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ],
    [
      '0 7 */100,1-7 * SUN',
      '2026-01-05T00:00:00Z',
      ['2026-02-01T07:00:00.000Z', '2026-03-01T07:00:00.000Z'],
    ],
    [
      '0 0 * * 0,7',
      '2026-01-01T00:00:00Z',
      ['2026-01-04T00:00:00.000Z', '2026-01-11T00:00:00.000Z'],
    ],
    [
      '5,5,0-5/5 0 1 1 *',
      '2026-01-01T00:00:00Z',
      ['2026-01-01T00:05:00.000Z', '2027-01-01T00:00:00.000Z'],
    ],
    [
      '  5   4\t* * *  ',
      '2026-01-01T00:00:00Z',
      ['2026-01-01T04:05:00.000Z', '2026-01-02T04:05:00.000Z'],
    ],
  ])('returns the times of %p after %s', (expression, after, expected) => {
    expect(iso(nextTimes(schedule(expression), at(after), 2))).toEqual(expected);
  });

  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '@daily',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '*/0 * * * *',
    '1,,2 * * * *',
    'H * * * *',
    '0 0 L * *',
    '0 0 * * MON#1',
    '0 0 ? * *',
    '0 0 * * monday',
    '0 0 * * sunmon',
    '0 0 * * sun1',
    'jan 0 * * *',
    '0 0 * * jan',
    '1-2-3 * * * *',
    '*-5 * * * *',
    '/5 * * * *',
    '0 0 * xyz *',
    '0 0 30 2 *',
    '0 0 31 4,6,9,11 *',
    '٣ * * * *',
  ])('rejects %p', (expression) => {
    const times = () => nextTimes(schedule(expression), START, 1);
    let none = false;
    try {
      none = times().length === 0;
    } catch (error) {
      none = error instanceof Error;
    }
    expect(none).toBe(true);
  });

  it('returns 100 firing times even for a rare date, and rejects overlong invalid expressions', () => {
    const count = (expression: string) =>
      nextTimes(schedule(expression, 'Australia/Lord_Howe'), START, 100).length;
    expect(count('59 23 29 2 *')).toBe(100);
    expect(count('0 0 30 FEB 1')).toBe(100);
    expect(count(`${'1,'.repeat(99)}1 * * * *`)).toBe(100);
    for (const expression of [`${'MON'.repeat(60)} * * * *`, '*'.repeat(200)]) {
      expect(() => count(expression)).toThrow();
    }
  });

  it('accepts time zone names, but no UTC offsets', () => {
    expect(['UTC', 'Europe/Berlin', 'US/Eastern', 'Etc/GMT+5'].filter(isTimeZone)).toHaveLength(4);
    expect(
      ['+02:00', 'Mars/Base', '', 'Europe/Berlin ', '../etc', 'x'.repeat(65)].filter(isTimeZone),
    ).toEqual([]);
  });
});

describe('nextTimes when the clocks change', () => {
  it.each(ZONES)(
    'returns the same daily and weekly times as croner in %s over two years',
    (zone) => {
      for (const time of ['0 0', '30 1', '45 1', '0 2', '15 2', '30 2', '59 2', '0 3', '30 1,23']) {
        const expression = `${time} * * *`;
        expect({ expression, times: ours(expression, zone, START, END) }).toEqual({
          expression,
          times: oracle(expression, zone, START, END),
        });
      }
      const weekly = '30 2 * * SUN';
      expect(ours(weekly, zone, START, END)).toEqual(oracle(weekly, zone, START, END));
    },
  );

  it.each(ZONES)('returns the same hourly times as croner around each change in %s', (zone) => {
    for (const day of CHANGES[zone] as string[]) {
      const midnight = at(`${day}T00:00:00Z`);
      const [from, to] = [midnight - 6 * 3_600_000, midnight + 24 * 3_600_000];
      expect(evenTimes(zone, from, to)).toHaveLength(2);
      for (const expression of ['15 * * * *', '*/20 1,2 * * *', '0-59/7 0-4 * * *', '* * * * *']) {
        expect(ours(expression, zone, from, to)).toEqual(oracle(expression, zone, from, to));
      }
    }
  });

  it('unlike croner, moves a skipped time to the end of the gap even if the gap ends at midnight', () => {
    const [from, to] = [at('2026-03-28T00:00:00Z'), at('2026-03-30T00:00:00Z')];
    const [theirs, own] = [oracle, ours].map((times) =>
      iso(times('30 23 * * *', 'America/Nuuk', from, to)),
    );
    expect(own).toEqual(['2026-03-28T01:30:00.000Z', '2026-03-29T01:00:00.000Z']);
    expect(theirs).toEqual(own?.slice(0, 1));
  });
});

describe('evenTimes and wallTimeOf', () => {
  it('apply the offset of the zone, and cover every instant of a range exactly once', () => {
    const zones = fc.constantFrom(
      ...ZONES,
      'America/Sao_Paulo',
      'Asia/Kathmandu',
      'Africa/Casablanca',
    );
    const hours = fc.integer({ min: START / 3_600_000, max: END / 3_600_000 });
    fc.assert(
      fc.property(zones, hours, fc.integer({ min: 1, max: 48 }), (zone, hour, length) => {
        const [from, to] = [hour * 3_600_000, (hour + length) * 3_600_000];
        const times = evenTimes(zone, from, to);
        expect(times.map((time) => time.from)).toEqual([
          from,
          ...times.slice(0, -1).map((time) => time.to),
        ]);
        expect(times.at(-1)?.to).toBe(to);
        for (const { from: first, to: end, offset } of times) {
          for (const instant of [first, (first + end) / 2, end - 1]) {
            expect(wallTimeOf(zone, instant)).toBe(instant + offset);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('parseCron', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '*',
      '*/5',
      '1-5',
      'MON',
      'FEB',
      '0,7',
      '5-1',
      '60',
      '*/0',
      'L',
      '1-',
      ',',
      '?',
    ),
    fc.stringMatching(/^[*0-9,/-]{1,6}$/),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );

  it('rejects a random expression with a reason, or gives it ascending times from now on', () => {
    const expressions = fc.array(part, { minLength: 4, maxLength: 6 });
    fc.assert(
      fc.property(expressions, fc.constantFrom(...ZONES), (parts, zone) => {
        const expression = parts.join(' ');
        try {
          parseCron(expression);
        } catch (error) {
          expect(String(error)).toMatch(/^Error: \S/);
          return;
        }
        const times = nextTimes(schedule(expression, zone), START, 3);
        expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
        expect(times.every((time) => time > START && time % 60_000 === 0)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('pastTimes', () => {
  const expressions = fc.constantFrom(
    '* * * * *',
    '*/7 * * * *',
    '30 * * * *',
    '30 2 * * *',
    '0 9 * * MON',
    '0 0 1 * *',
  );
  it('returns the latest times before now', () => {
    const zones = fc.constantFrom(...ZONES);
    const from = fc
      .integer({ min: START / 1_000, max: END / 1_000 })
      .map((second) => second * 1_000);
    const near = fc
      .constantFrom(...Object.values(CHANGES).flat())
      .map((day) => at(`${day}T00:30:00Z`));
    fc.assert(
      fc.property(
        expressions,
        zones,
        fc.oneof(from, near),
        fc.integer({ min: 0, max: 4_000 }),
        fc.integer({ min: 1, max: 40 }),
        (expression, zone, start, minutes, count) => {
          const end = start + minutes * 60_000;
          const all = ours(expression, zone, start, end + 1);
          expect(pastTimes(schedule(expression, zone), start, end, count)).toEqual(
            all.slice(-count),
          );
        },
      ),
      { numRuns: 15 },
    );
  });

  it('returns an empty list for an expression that never matches', () => {
    expect(parseCron('0 0 29 2 *').eitherDay).toBe(false);
    expect(pastTimes(schedule('0 0 29 2 *'), START, START + 86_400_000, 5)).toEqual([]);
  });
});
