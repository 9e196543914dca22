import { CATCH_UP_POLICIES } from '@switchyard/types';
import fc from 'fast-check';
import { nextTimes } from '../schedule/next-times';
import { LATE_MS, planCatchUp } from '../schedule/plan-catch-up';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CAP = 25;
const BACK = Date.parse('2026-06-15T00:00:20Z');

const DENSITIES = { minutely: '* * * * *', hourly: '0 * * * *', daily: '0 0 * * *' };
const OUTAGES = { 'a minute': MINUTE, 'an hour': HOUR, 'three days': 3 * DAY };

function recover(
  cronExpression: string,
  outage: number,
  policy: (typeof CATCH_UP_POLICIES)[number],
) {
  const schedule = { cronExpression, timezone: 'UTC' };
  const [dueAt] = nextTimes(schedule, BACK - outage, 1) as [number];
  return { schedule, dueAt, plan: planCatchUp(schedule, policy, { dueAt, now: BACK, cap: CAP }) };
}

describe('planCatchUp', () => {
  it.each([
    ['a minute', 'minutely', 'skip_missed', 1],
    ['a minute', 'minutely', 'enqueue_missed_with_cap', 1],
    ['a minute', 'hourly', 'skip_missed', 1],
    ['a minute', 'hourly', 'enqueue_missed_with_cap', 1],
    ['a minute', 'daily', 'skip_missed', 1],
    ['a minute', 'daily', 'enqueue_missed_with_cap', 1],
    ['an hour', 'minutely', 'skip_missed', 1],
    ['an hour', 'minutely', 'enqueue_missed_with_cap', 25],
    ['an hour', 'hourly', 'skip_missed', 1],
    ['an hour', 'hourly', 'enqueue_missed_with_cap', 1],
    ['an hour', 'daily', 'skip_missed', 1],
    ['an hour', 'daily', 'enqueue_missed_with_cap', 1],
    ['three days', 'minutely', 'skip_missed', 1],
    ['three days', 'minutely', 'enqueue_missed_with_cap', 25],
    ['three days', 'hourly', 'skip_missed', 1],
    ['three days', 'hourly', 'enqueue_missed_with_cap', 25],
    ['three days', 'daily', 'skip_missed', 1],
    ['three days', 'daily', 'enqueue_missed_with_cap', 3],
  ] as const)(
    'after an outage of %s, given a %s schedule and the policy %s, returns %i firing times',
    (outage, density, policy, count) => {
      const { plan, schedule } = recover(DENSITIES[density], OUTAGES[outage], policy);
      expect(plan.fire).toHaveLength(count);
      expect(plan.fire.at(-1)).toBe(BACK - 20_000);
      expect(plan.nextRunAt).toBe(nextTimes(schedule, BACK, 1)[0]);
    },
  );

  it('with skip_missed, fires only a time that became due less than LATE_MS ago', () => {
    const schedule = { cronExpression: '0 9 * * *', timezone: 'UTC' };
    const dueAt = Date.parse('2026-06-15T09:00:00Z');
    const plan = (now: number) =>
      planCatchUp(schedule, 'skip_missed', { dueAt, now, cap: CAP }).fire;
    expect(plan(dueAt - 1)).toEqual([]);
    expect(plan(dueAt)).toEqual([dueAt]);
    expect(plan(dueAt + LATE_MS - 1)).toEqual([dueAt]);
    expect(plan(dueAt + LATE_MS)).toEqual([]);
  });

  it('returns each due time once, in order and up to the cap, and a next time in the future', () => {
    const expressions = fc.constantFrom(...Object.values(DENSITIES), '*/7 * * * *', '30 2 * * *');
    const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe');
    const moments = fc.integer({ min: 0, max: 700 * DAY }).map((ms) => BACK + ms);
    fc.assert(
      fc.property(
        expressions,
        zones,
        moments,
        fc.integer({ min: 0, max: DAY }),
        fc.constantFrom(...CATCH_UP_POLICIES),
        (cronExpression, timezone, start, outage, policy) => {
          const schedule = { cronExpression, timezone };
          const [dueAt] = nextTimes(schedule, start, 1) as [number];
          const now = start + outage;
          const { fire, nextRunAt } = planCatchUp(schedule, policy, { dueAt, now, cap: CAP });
          const due = nextTimes(schedule, dueAt - 1, 1_500).filter((time) => time <= now);
          expect(due.slice(due.length - fire.length)).toEqual(fire);
          expect(fire.length).toBeLessThanOrEqual(CAP);
          if (policy === 'skip_missed')
            expect(fire.every((time) => time > now - LATE_MS)).toBe(true);
          else expect(fire).toHaveLength(Math.min(due.length, CAP));
          expect(nextRunAt).toBeGreaterThan(now);
        },
      ),
      { numRuns: 50 },
    );
  });
});
