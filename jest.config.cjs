/** One runner for the whole repository; TEST_DATABASE_URL and TEST_REDIS_URL are set by `npm test`. */
module.exports = {
  testEnvironment: '<rootDir>/packages/testing/src/test-environment.ts',
  testMatch: ['**/*.test.ts', '**/*.test.tsx', '**/*.browser.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.data/', '/.cache/'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2023', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
    '^.+\\.tsx$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2023',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'commonjs' },
      },
    ],
    // ES modules only: everything else under node_modules is taken as it is.
    '/(age-encryption|trading-signals|ccxt|@noble|@scure)/.+\\.js$': [
      '@swc/jest',
      { module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [
    '/node_modules/(?!(\\.pnpm/)?(age-encryption|trading-signals|ccxt|@noble|@scure)[+@/])',
  ],
  moduleNameMapper: {
    '^@switchyard/(async|settings|types|server|sandbox|db|queue|client|testing)$':
      '<rootDir>/packages/$1/src/index.ts',
    '^@switchyard/server/create-logger$': '<rootDir>/packages/server/src/logging/create-logger.ts',
    '^@switchyard/server/environment$': '<rootDir>/packages/server/src/settings/environment.ts',
    '^@switchyard/server/logger$': '<rootDir>/packages/server/src/logging/logger.ts',
    '^@switchyard/server/passing-fault$': '<rootDir>/packages/server/src/http/passing-fault.ts',
    '^@switchyard/server/process-life$': '<rootDir>/packages/server/src/process-life.ts',
    '^@switchyard/testing/exchange-sim/([a-z-]+)$':
      '<rootDir>/packages/testing/src/exchange-sim/$1.ts',
  },
  globalSetup: '<rootDir>/packages/testing/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/testing/src/global-teardown.ts',
  testSequencer: '<rootDir>/packages/testing/longest-first.cjs',
  // Looked up in the global object of a test's context, each use of them takes many times longer.
  sandboxInjectedGlobals: ['Array', 'JSON', 'Math', 'Number', 'Object', 'String'],
  maxWorkers: 2,
  // A worker that begins anew loads and compiles everything again.
  workerIdleMemoryLimit: '1500MB',
  // Ends what hangs: a loaded machine needs ten times as long for a test as a quiet one.
  testTimeout: 120_000,
};
