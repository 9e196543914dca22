const Sequencer = require('@jest/test-sequencer').default;

/** The files that take longest. */
const LONGEST = [
  'services/orchestration/test/browser/pages.browser.ts',
  'services/orchestration/test/browser/fragile.browser.ts',
  'services/orchestration/test/browser/agents.browser.ts',
  'services/orchestration/test/runner-faults.test.ts',
  'services/orchestration/test/browser/frame.browser.ts',
  'services/orchestration/test/browser/issue-thread.browser.ts',
  'services/metrics/test/month/day-of-faults.test.ts',
  'services/metrics/src/exchange/check-exchange.test.ts',
  'services/orchestration/test/browser/routines.browser.ts',
  'services/orchestration/test/browser/runs.browser.ts',
  'services/orchestration/test/pods/refusing-cluster.test.ts',
  'services/orchestration/test/browser/hostile.browser.ts',
  'services/orchestration/test/faults.test.ts',
  'services/orchestration/test/fuzz.test.ts',
  'packages/launcher/test/credentials.test.ts',
  'services/orchestration/src/features/inbox/histories.test.ts',
  'services/metrics/src/exchange/live/live-exchange.test.ts',
  'services/orchestration/test/contract.test.ts',
  'services/orchestration/test/cost-bursts.test.ts',
  'services/orchestration/src/backup/encrypted-backup.test.ts',
  'services/orchestration/test/security.test.ts',
  'services/orchestration/src/adapters/repositories/planted-settings.test.ts',
  'services/orchestration/src/backup/backup.test.ts',
  'services/orchestration/test/start.test.ts',
  'services/orchestration/test/client-package.test.ts',
  'services/orchestration/src/features/routines/schedule/many-workers.test.ts',
  'services/orchestration/src/adapters/repositories/repository-cache.test.ts',
  'services/orchestration/src/features/routines/schedule/clock-changes.test.ts',
  'services/orchestration/test/authenticated-security.test.ts',
  'packages/launcher/test/start.test.ts',
  'services/orchestration/test/outage.test.ts',
];

/**
 * Begins with the longest, so that none of them runs alone at the end. Jest does so by what it measured in earlier runs, which
 * a fresh machine knows nothing of.
 */
module.exports = class extends Sequencer {
  async sort(tests) {
    const rank = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.endsWith(`/${name}`));
      return at === -1 ? LONGEST.length : at;
    };
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
};

module.exports.LONGEST = LONGEST;
