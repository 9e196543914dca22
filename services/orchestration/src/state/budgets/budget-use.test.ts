import { budgetUse } from './budget-use';

describe('budgetUse', () => {
  it.each([
    [0, 0, 0, 'none'],
    [5_000, 0, 0, 'none'],
    [0, 10_000, 0, 'none'],
    [7_999, 10_000, 79.99, 'none'],
    [8_000, 10_000, 80, 'soft'],
    [22, 1_000, 2.2, 'none'],
    [99_999_999, 100_000_000, 99.99, 'soft'],
    [10_000, 10_000, 100, 'hard'],
    [25_000, 10_000, 250, 'hard'],
  ])(
    'given %i of %i cents, returns %d percent with alert %s',
    (spend, budget, utilizationPercent, alert) => {
      expect(budgetUse(spend, budget)).toEqual({ utilizationPercent, alert });
    },
  );
});
