/**
 * Configuration of all tests. `npm test` starts the servers and sets TEST_DATABASE_URL and
 * TEST_REDIS_URL. Two plain Node.js processes run the files (TypeScript with tsx), and all files of
 * a process share its modules.
 */
module.exports = {
  runner: 'jest-light-runner/child-process',
  transform: {},
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/.cache/'],
  modulePathIgnorePatterns: ['/dist/'],
  setupFiles: ['<rootDir>/packages/testing/jest/setup.cjs'],
  globalSetup: '<rootDir>/packages/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/global-teardown.ts',
  testSequencer: '<rootDir>/packages/testing/jest/sequencer.cjs',
  reporters: ['default', '<rootDir>/packages/testing/jest/reporter.cjs'],
  maxWorkers: 2,
};
