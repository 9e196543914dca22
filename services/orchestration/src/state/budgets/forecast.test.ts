import { forecast } from './forecast';

const SPENDING = {
  now: '2024-02-10T12:00:00.000Z',
  spendCents: 700,
  budgetCents: 1_000,
  recentCents: 700,
  recentDays: 7,
};

describe('a forecast', () => {
  it.each([
    ['divides by the days it looked back on', {}, 100, '2024-02-13'],
    ['takes a young company for what it spent a day', { recentDays: 2 }, 350, '2024-02-11'],
    ['rounds to hundredths', { recentCents: 100 }, 14.29, null],
    ['ends today when the budget is spent', { spendCents: 1_000 }, 100, '2024-02-10'],
    ['ends today when more is spent', { spendCents: 9_000, recentCents: 0 }, 0, '2024-02-10'],
    ['ends never without spend', { recentCents: 0 }, 0, null],
    ['ends never without a limit', { budgetCents: 0 }, 100, null],
    ['ends on 29 February', { recentCents: 7, spendCents: 981 }, 1, '2024-02-29'],
    ['ends not when the month does', { recentCents: 7, spendCents: 979 }, 1, null],
    ['says nothing of a year far away', { recentCents: 1, budgetCents: 1e12 }, 0.14, null],
    [
      'ends with the last millisecond of a month',
      { now: '2024-02-28T23:59:59.999Z', spendCents: 900, recentCents: 700 },
      100,
      '2024-02-29',
    ],
    [
      'ends not with the first one of the next',
      { now: '2024-02-29T00:00:00.000Z', spendCents: 900, recentCents: 700 },
      100,
      null,
    ],
    [
      'knows that December has 31 days',
      { now: '2023-12-31T00:00:00.000Z', spendCents: 950, recentCents: 700 },
      100,
      '2023-12-31',
    ],
  ])('%s', (_what, given, burnRateCentsPerDay, endsOn) => {
    expect(forecast({ ...SPENDING, ...given })).toEqual({ burnRateCentsPerDay, endsOn });
  });
});
