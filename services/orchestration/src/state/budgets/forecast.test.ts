import { forecast } from './forecast';

const SPENDING = {
  now: '2024-02-10T12:00:00.000Z',
  spendCents: 700,
  budgetCents: 1_000,
  recentCents: 700,
  recentDays: 7,
};

describe('forecast', () => {
  it.each([
    ['divides the recent spend by the days of the period', {}, 100, '2024-02-13'],
    ['divides by fewer days for a young company', { recentDays: 2 }, 350, '2024-02-11'],
    ['rounds to hundredths of a cent', { recentCents: 100 }, 14.29, null],
    ['ends today if the budget is spent', { spendCents: 1_000 }, 100, '2024-02-10'],
    [
      'ends today if the budget is spent and there was no recent spend',
      { spendCents: 1_000, recentCents: 0 },
      0,
      '2024-02-10',
    ],
    [
      'ends today if more than the budget is spent',
      { spendCents: 9_000, recentCents: 0 },
      0,
      '2024-02-10',
    ],
    ['never ends without spend', { recentCents: 0 }, 0, null],
    ['never ends without a limit', { budgetCents: 0 }, 100, null],
    ['can end on 29 February', { recentCents: 7, spendCents: 981 }, 1, '2024-02-29'],
    [
      'does not end if the budget lasts until the end of the month',
      { recentCents: 7, spendCents: 979 },
      1,
      null,
    ],
    ['has no end in a distant year', { recentCents: 1, budgetCents: 1e12 }, 0.14, null],
    [
      'can end in the last millisecond of a month',
      { now: '2024-02-28T23:59:59.999Z', spendCents: 900, recentCents: 700 },
      100,
      '2024-02-29',
    ],
    [
      'does not end in the first millisecond of the next month',
      { now: '2024-02-29T00:00:00.000Z', spendCents: 900, recentCents: 700 },
      100,
      null,
    ],
    [
      'can end on 31 December',
      { now: '2023-12-31T00:00:00.000Z', spendCents: 950, recentCents: 700 },
      100,
      '2023-12-31',
    ],
  ])('returns a rate and a last day: it %s', (_what, given, burnRateCentsPerDay, endsOn) => {
    expect(forecast({ ...SPENDING, ...given })).toEqual({ burnRateCentsPerDay, endsOn });
  });
});
