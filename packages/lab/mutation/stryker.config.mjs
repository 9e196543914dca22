import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { plantSql } from '../dist/mutation/plant-sql.js';

const root = path.resolve(import.meta.dirname, '../../..');
const [part = '', kind = 'code'] = (process.env.MUTANTS ?? '').split(' ');
const parts = JSON.parse(readFileSync(path.join(import.meta.dirname, 'parts.json'), 'utf8'));

const SOURCES = 'services/orchestration/src';

function filesOf(entry) {
  if (!entry.endsWith('/')) return [`${SOURCES}/${entry}`];
  return readdirSync(path.join(root, SOURCES, entry))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${SOURCES}/${entry}${name}`);
}

const isTest = (file) => file.endsWith('.test.ts') && !file.endsWith('.system.test.ts');
const code = parts[part].code.flatMap(filesOf).filter((file) => !file.endsWith('.test.ts'));
const tests = parts[part].tests.flatMap(filesOf).filter(isTest);
const planted = `packages/lab/generated/${part}-sql.cjs`;

export default {
  plugins: [path.join(import.meta.dirname, '../dist/mutation/test-runner.js')],
  testRunner: 'hot',
  coverageAnalysis: 'perTest',
  concurrency: 1,
  mutate: kind === 'sql' ? [await plantSql(root, code, planted)] : code,
  testFiles: tests,
  ignoreStatic: true,
  disableTypeChecks: false,
  // Stryker cannot read it with TypeScript 7, and the tests run without it.
  tsconfigFile: 'none',
  ignorePatterns: ['dist', '.data', '.cache', 'docs', 'packages/console', 'k8s', 'examples'],
  tempDirName: '.cache/mutants',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `.cache/mutants-${part}-${kind}.json` },
  clearTextReporter: { allowColor: false, reportTests: false },
  dryRunTimeoutMinutes: 30,
  timeoutMS: 20_000,
  timeoutFactor: 3,
  thresholds: { high: 95, low: 85, break: 85 },
};
