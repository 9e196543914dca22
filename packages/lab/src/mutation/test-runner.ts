import path from 'node:path';
import {
  INSTRUMENTER_CONSTANTS,
  type MutantCoverage,
  type StrykerOptions,
} from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { HOOKS, HotTests, type TestOutcome } from './hot-tests.js';

interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | null;
  mutantCoverage?: MutantCoverage;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** Stryker's runner for Jest needs Jest's own runner, so this one drives the runner of the tests. */
class HotTestRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #testFiles: readonly string[];
  readonly #root = process.cwd();
  readonly #tests = new HotTests(this.#root);
  #isDamaged = false;

  constructor({ testFiles }: StrykerOptions) {
    this.#testFiles = testFiles;
  }

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: false };
  }

  init(): Promise<void> {
    return this.#tests.start();
  }

  /** Loads the mutants first, so that only code that runs while a file is loaded counts as static. */
  async dryRun({ files = [] }: DryRunOptions): Promise<DryRunResult> {
    for (const file of files) this.#tests.load(file);
    const code = instrumented();
    Object.defineProperty(code, 'currentTestId', { get: this.#tests.running });
    const outcomes: TestOutcome[] = [];
    for (const file of this.#testFiles) outcomes.push(...(await this.#tests.run(file)));
    const tests = [...outcomes.map(toTestResult), ...hooksOf(outcomes, code.mutantCoverage)];
    return { status: DryRunStatus.Complete, tests, mutantCoverage: code.mutantCoverage };
  }

  /**
   * Repeats a failed test without the mutant. If it fails again, an earlier mutant may have damaged
   * this process: the error makes Stryker repeat the mutant in a new process.
   */
  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    if (this.#isDamaged) throw new Error('an earlier mutant has damaged this process');
    const { activeMutant, hitLimit, testFilter = [], sandboxFileName } = options;
    this.#tests.load(sandboxFileName);
    const code = instrumented();
    Object.assign(code, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 });
    const outcomes = await this.#runUntilFailure(testFilter);
    const limit = determineHitLimitReached(code.hitCount, hitLimit);
    Object.assign(code, { activeMutant: undefined, hitLimit: undefined, hitCount: undefined });
    const failed = outcomes.find(({ failure }) => failure !== null);
    this.#isDamaged =
      limit !== undefined || (failed !== undefined && !(await this.#passes(failed)));
    if (limit) return toMutantRunResult(limit);
    if (this.#isDamaged) throw new Error('the test also fails without the mutant');
    const tests = outcomes.map(toTestResult);
    return toMutantRunResult({ status: DryRunStatus.Complete, tests });
  }

  async #runUntilFailure(ids: readonly string[]): Promise<TestOutcome[]> {
    const outcomes: TestOutcome[] = [];
    for (const file of this.#testFiles) {
      const prefix = `${file}#`;
      const own = ids.filter((id) => id.startsWith(prefix)).map((id) => id.slice(prefix.length));
      if (own.length === 0) continue;
      outcomes.push(...(await this.#tests.run(file, own.includes(HOOKS) ? null : own)));
      if (outcomes.some(({ failure }) => failure !== null)) break;
    }
    return outcomes;
  }

  async #passes({ file, name }: TestOutcome): Promise<boolean> {
    const outcomes = await this.#tests.run(file, name.startsWith('(') ? null : [name]);
    return outcomes.every(({ failure }) => failure === null);
  }
}

function instrumented(): Instrumented {
  const globals = globalThis as unknown as Record<string, Instrumented>;
  globals[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
  return globals[INSTRUMENTER_CONSTANTS.NAMESPACE] as Instrumented;
}

function toTestResult({ id, name, file, timeMs, failure }: TestOutcome): TestResult {
  const test = { id, name, fileName: path.resolve(file), timeSpentMs: timeMs };
  return failure === null
    ? { ...test, status: TestStatus.Success }
    : { ...test, status: TestStatus.Failed, failureMessage: failure };
}

/** A hook reports nothing when it passes, but mutants that only hooks reach need a test too. */
function hooksOf(outcomes: TestOutcome[], coverage: MutantCoverage | undefined): TestResult[] {
  const reported = new Set(outcomes.map(({ id }) => id));
  return Object.keys(coverage?.perTest ?? {})
    .filter((id) => !reported.has(id))
    .map((id) => ({ id, name: id, timeSpentMs: 0, status: TestStatus.Success }));
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'hot', HotTestRunner)];
