import fc from 'fast-check';
import { changesOf, type Entry, simulateCron, warmedUp } from '../../../../test/simulated-cron';
import { nextTimes, pastTimes } from './next-times';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-01-01T00:00:00Z');
const END = Date.parse('2028-01-01T00:00:00Z');

const ZONES = [
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'America/St_Johns',
  'America/Nuuk',
  'Atlantic/Azores',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Jerusalem',
  'Asia/Kathmandu',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Easter',
  'UTC',
];

const ODD: [string, string][] = [
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Pacific/Kwajalein', '1993-08-21T12:00:00Z'],
  ['Antarctica/Casey', '2009-10-17T18:00:00Z'],
  ['Antarctica/Casey', '2010-03-04T15:00:00Z'],
  ['America/Toronto', '2006-04-02T05:00:00Z'],
  ['America/St_Johns', '2010-11-07T02:00:00Z'],
  ['America/St_Johns', '1988-04-03T03:00:00Z'],
  ['Asia/Pyongyang', '2018-05-04T14:00:00Z'],
];

const every = (count: number, first = 0) => Array.from({ length: count }, (_, at) => first + at);
const schedule = (expression: string, timezone: string) => ({
  cronExpression: expression,
  timezone,
});

interface Field {
  text: string;
  values: number[];
  goesByElapsedTime: boolean;
}

function field(size: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min: 0, max: size - 1 });
  const span = fc
    .tuple(value, value)
    .map((pair) => [Math.min(...pair), Math.max(...pair)] as const);
  const step = fc.integer({ min: 1, max: size });
  const from = (low: number, high: number, by: number) =>
    every(high - low + 1, low).filter((one) => (one - low) % by === 0);
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .uniqueArray(value, { minLength: 1, maxLength: 5 })
        .map((values) => ({ text: values.join(','), values, goesByElapsedTime: false })),
    },
    span.map(([low, high]) => ({
      text: `${low}-${high}`,
      values: from(low, high, 1),
      goesByElapsedTime: false,
    })),
    fc.constant({ text: '*', values: every(size), goesByElapsedTime: true }),
    step.map((by) => ({ text: `*/${by}`, values: from(0, size - 1, by), goesByElapsedTime: true })),
    fc.tuple(span, step).map(([[low, high], by]) => ({
      text: `${low}-${high}/${by}`,
      values: from(low, high, by),
      goesByElapsedTime: true,
    })),
    fc.tuple(value, step).map(([low, by]) => ({
      text: `${low}/${by}`,
      values: from(low, size - 1, by),
      goesByElapsedTime: true,
    })),
  );
}

const hours = fc.oneof(
  field(24),
  fc.uniqueArray(fc.constantFrom(0, 1, 2, 3, 22, 23), { minLength: 1 }).map((values) => ({
    text: values.join(','),
    values,
    goesByElapsedTime: false,
  })),
);

const dates = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ text: '* * *' }) },
  fc
    .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 3 })
    .map((weekdays) => ({ text: `* * ${weekdays.join(',')}`, weekdays })),
  fc
    .uniqueArray(fc.integer({ min: 1, max: 31 }), { minLength: 1, maxLength: 9 })
    .map((days) => ({ text: `${days.join(',')} * *`, days })),
  fc
    .tuple(
      fc.integer({ min: 1, max: 31 }),
      fc.integer({ min: 0, max: 6 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 6 }),
    )
    .map(([day, weekday, months]) => ({
      text: `${day} ${months.join(',')} ${weekday}`,
      days: [day],
      weekdays: [weekday],
      months,
    })),
);

const entries: fc.Arbitrary<Entry> = fc
  .tuple(field(60), hours, dates)
  .map(([minute, hour, { text, ...days }]) => ({
    ...days,
    expression: `${minute.text} ${hour.text} ${text}`,
    minutes: minute.values,
    hours: hour.values,
    goesByElapsedTime: minute.goesByElapsedTime || hour.goesByElapsedTime,
  }));

const clock = (text: string): Entry => {
  const [minute, hour] = text.split(':').map(Number) as [number, number];
  const expression = `${minute} ${hour} * * *`;
  return { expression, minutes: [minute], hours: [hour], goesByElapsedTime: false };
};

describe('nextTimes when the clocks change', () => {
  it.each<[string, string, string, string, string[]]>([
    [
      'fires every 15 minutes, even in a repeated hour',
      '*/15 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:40:00Z',
      ['25T00:45', '25T01:00', '25T01:15', '25T01:30', '25T01:45', '25T02:00'],
    ],
    [
      'fires every 15 minutes, before and after a gap',
      '*/15 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:40:00Z',
      ['29T00:45', '29T01:00', '29T01:15'],
    ],
    [
      'fires every hour, even in a repeated hour',
      '0 * * * *',
      'America/New_York',
      '2026-11-01T04:30:00Z',
      ['01T05:00', '01T06:00', '01T07:00'],
    ],
    [
      'fires a step in both occurrences of a repeated hour',
      '0-45/15 1 * * *',
      'America/New_York',
      '2026-11-01T05:20:00Z',
      ['01T05:30', '01T05:45', '01T06:00', '01T06:15', '01T06:30', '01T06:45'],
    ],
    [
      'omits the times of a wildcard in a gap',
      '*/20 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['30T00:00', '30T00:20', '30T00:40'],
    ],
    [
      'fires a fixed time in a gap immediately after the gap',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['29T01:00', '30T00:30', '31T00:30'],
    ],
    [
      'fires once for several times in a gap',
      '0,20,40 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['29T01:00', '30T00:00', '30T00:20'],
    ],
    [
      'fires once for a time in a gap and once at a later time',
      '30 2,3 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['29T01:00', '29T01:30', '30T00:30'],
    ],
    [
      'fires once for a time in a gap and a time at its end',
      '0 2,3 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00:00Z',
      ['29T01:00', '30T00:00', '30T01:00'],
    ],
    [
      'fires a repeated time only at its first occurrence',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00:00Z',
      ['25T00:30', '26T01:30'],
    ],
    [
      'fires repeated times of a range only at their first occurrence',
      '58-59 1 * * *',
      'America/New_York',
      '2026-11-01T05:58:30Z',
      ['01T05:59', '02T06:58'],
    ],
    [
      'supports gaps of half an hour',
      '15 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T00:00:00Z',
      ['03T15:30', '04T15:15'],
    ],
    [
      'supports repeated half hours',
      '45 1 * * *',
      'Australia/Lord_Howe',
      '2026-04-04T00:00:00Z',
      ['04T14:45', '05T15:15'],
    ],
    [
      'supports gaps of two hours',
      '0 1,2 * * *',
      'Antarctica/Troll',
      '2026-03-28T12:00:00Z',
      ['29T01:00', '29T23:00', '30T00:00'],
    ],
    [
      'supports gaps at midnight',
      '0 0 * * SUN',
      'America/Santiago',
      '2026-09-01T00:00:00Z',
      ['06T04:00', '13T03:00'],
    ],
    [
      'supports repeated hours before midnight',
      '30 23 * * *',
      'Asia/Beirut',
      '2026-10-24T12:00:00Z',
      ['24T20:30', '25T21:30'],
    ],
    [
      'fires a Saturday time in a gap that ends on Sunday',
      '30 23 * * SAT',
      'America/Nuuk',
      '2026-03-27T00:00:00Z',
      ['29T01:00', '05T00:30'],
    ],
    [
      'fires once for the times of a skipped day',
      '0 9,17 * * *',
      'Pacific/Apia',
      '2011-12-30T04:00:00Z',
      ['30T10:00', '30T19:00'],
    ],
  ])('follows Vixie’s cron: it %s', (_, expression, zone, after, expected) => {
    const times = nextTimes(schedule(expression, zone), Date.parse(after), expected.length);
    expect(times.map((time) => new Date(time).toISOString().slice(8, 16))).toEqual(expected);
  });

  it.each(ZONES)('returns the times at which cron fires in %s over two years', (zone) => {
    const minutes = warmedUp(zone, START, END);
    const everyHour = {
      expression: '30 * * * *',
      minutes: [30],
      hours: every(24),
      goesByElapsedTime: true,
    };
    const fixed = ['00:00', '30:01', '15:02', '30:02', '00:03', '30:23'].map(clock);
    for (const entry of [everyHour, ...fixed]) {
      const given = schedule(entry.expression, zone);
      const expected = { expression: entry.expression, times: simulateCron(entry, minutes, START) };
      const times = nextTimes(given, START - 1, entry.goesByElapsedTime ? 17_600 : 740).filter(
        (time) => time < END,
      );
      expect({ expression: entry.expression, times }).toEqual(expected);
    }
  });

  it('returns the times at which cron fires, for any expression in any zone around a change', () => {
    const changes = ZONES.flatMap((zone) =>
      changesOf(zone, START, END).map((at): [string, number] => [zone, at]),
    );
    expect(changes.length).toBeGreaterThan(60);
    const moments = fc.constantFrom(
      ...changes,
      ...ODD.map(([zone, at]): [string, number] => [zone, Date.parse(at)]),
    );
    fc.assert(
      fc.property(
        moments,
        entries,
        fc.integer({ min: 0, max: 48 * 60 }),
        ([zone, at], entry, late) => {
          const from = at - 2 * DAY + late * 60_000;
          const to = at + 2 * DAY;
          const expected = simulateCron(entry, warmedUp(zone, at - 2 * DAY, to), from);
          const given = schedule(entry.expression, zone);
          expect(nextTimes(given, from - 1, 10_000).filter((time) => time < to)).toEqual(expected);
          expect(pastTimes(given, from, to - 1, 10_000)).toEqual(expected);
          expect(pastTimes(given, from, to - 1, 3)).toEqual(expected.slice(-3));
        },
      ),
      { numRuns: 200 },
    );
  });
});
