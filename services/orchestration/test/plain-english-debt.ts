/**
 * Sentences per part of the repository that still break a rule; a part without a line has none.
 * Lower a number after rewriting; a number never rises.
 */
export const DEBT: Record<string, number> = {
  '.': 1,
  'packages/console': 1,
  'packages/launcher': 1,
  'packages/sandbox': 1,
  prisma: 6,
  'services/metrics': 8,
  'services/metrics/src/accounts': 15,
  'services/metrics/src/candles': 3,
  'services/metrics/src/collection': 11,
  'services/metrics/src/dashboard': 1,
  'services/metrics/src/docs': 5,
  'services/metrics/src/exchange': 33,
  'services/metrics/src/exposition': 6,
  'services/metrics/src/fills': 4,
  'services/metrics/src/funding-payments': 5,
  'services/metrics/src/grids': 10,
  'services/metrics/src/history': 4,
  'services/metrics/src/http': 5,
  'services/metrics/src/kinds': 43,
  'services/metrics/src/profit': 4,
  'services/metrics/src/regime': 3,
  'services/metrics/src/risk': 6,
  'services/metrics/src/routes': 5,
  'services/metrics/src/webhooks': 9,
  'services/orchestration': 7,
  'services/orchestration/src/adapters': 123,
  'services/orchestration/src/runner': 70,
  'services/orchestration/src/settings': 1,
};

/** Comments in the whole repository; lower it after deleting some. */
export const MOST_COMMENTS = 4033;
