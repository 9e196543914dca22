import { createRequire } from 'node:module';
import path from 'node:path';
import { readConfig } from 'jest-config';

export interface TestOutcome {
  id: string;
  file: string;
  name: string;
  timeMs: number;
  failure: string | null;
}

export const HOOKS = '(hooks)';
const LOADER: string = 'tsx';
const RUNNER: string = 'jest-light-runner';

type Config = Awaited<ReturnType<typeof readConfig>>;

interface Test {
  path: string;
  context: { config: Config['projectConfig'] };
}

interface Result {
  ancestorTitles: string[];
  title: string;
  status: string;
  duration?: number;
  failureMessages: string[];
}

type RunnerClass = new (
  globalConfig: Config['globalConfig'],
) => {
  runTests(
    tests: Test[],
    watcher: null,
    onStart: () => Promise<void>,
    onResult: (test: Test, result: { testResults: Result[] }) => Promise<void>,
    onFailure: (test: Test, error: Error) => Promise<void>,
  ): Promise<void>;
};

interface TestState {
  testPath?: string | undefined;
  currentTestName?: string | undefined;
}

interface RunningTest extends TestState {
  id: string | null;
}

interface Expect {
  getState(): TestState;
  setState(state: { testPath: undefined; currentTestName: undefined }): void;
}

const expectation = () => (globalThis as { expect?: Expect }).expect;
const forgetTest = () =>
  expectation()?.setState({ currentTestName: undefined, testPath: undefined });

const idOf = (file: string, name: string | undefined) => `${file}#${name || HOOKS}`;

export async function loadTypeScript(root: string): Promise<void> {
  process.env.TSX_TSCONFIG_PATH = path.join(root, 'tsconfig.run.json');
  await import(LOADER);
}

export class HotTests {
  readonly #root: string;
  readonly #require: NodeJS.Require;
  readonly #faults: string[] = [];
  #running: RunningTest = { id: null };
  #config: Config | undefined;

  constructor(root: string) {
    this.#root = root;
    this.#require = createRequire(path.join(root, 'package.json'));
  }

  async start(): Promise<void> {
    await loadTypeScript(this.#root);
    this.#config = await readConfig({ _: [], $0: '', runInBand: true }, this.#root);
    for (const event of ['unhandledRejection', 'uncaughtException']) {
      process.on(event, (error) => this.#faults.push(String(error?.stack ?? error)));
    }
  }

  load(file: string): void {
    this.#require(file);
  }

  readonly running = (): string | null => {
    const { testPath, currentTestName } = expectation()?.getState() ?? {};
    if (testPath !== this.#running.testPath || currentTestName !== this.#running.currentTestName) {
      const id = testPath ? idOf(path.relative(this.#root, testPath), currentTestName) : null;
      this.#running = { testPath, currentTestName, id };
    }
    return this.#running.id;
  };

  async run(file: string, names: readonly string[] | null = null): Promise<TestOutcome[]> {
    if (!this.#config) throw new Error('start() must be called first');
    const { globalConfig, projectConfig } = this.#config;
    const pattern = names && `^(?:${names.map(escapePattern).join('|')})$`;
    const { default: Runner } = (await import(RUNNER)) as { default: RunnerClass };
    const runner = new Runner({
      ...globalConfig,
      maxWorkers: 1,
      testNamePattern: pattern ?? undefined,
    } as typeof globalConfig);
    const outcomes: TestOutcome[] = [];
    const began = performance.now();
    const fail = (failure: string, name = HOOKS) =>
      outcomes.push({ id: idOf(file, name), file, name, timeMs: 0, failure });
    forgetTest();
    delete this.#require.cache[path.join(this.#root, file)];
    await runner.runTests(
      [{ path: path.join(this.#root, file), context: { config: projectConfig } }],
      null,
      async () => undefined,
      async (_test, { testResults }) => {
        for (const { ancestorTitles, title, status, duration, failureMessages } of testResults) {
          if (status === 'pending') continue;
          const name = [...ancestorTitles, title].join(' ');
          const failure = status === 'failed' ? failureMessages.join('\n') : null;
          outcomes.push({ id: idOf(file, name), file, name, timeMs: duration ?? 0, failure });
        }
      },
      async (_test, error) => void fail(String(error?.stack ?? error)),
    );
    forgetTest();
    for (const fault of this.#faults.splice(0)) fail(fault);
    if (outcomes.length === 0) throw new Error(`${file} ran no test`);
    return withHooks(outcomes, performance.now() - began);
  }
}

/** Adds the time of hooks and imports to the tests, because a time limit must include it. */
function withHooks(outcomes: TestOutcome[], elapsedMs: number): TestOutcome[] {
  const tests = outcomes.reduce((sum, { timeMs }) => sum + timeMs, 0);
  const share = Math.max(0, elapsedMs - tests) / Math.max(1, outcomes.length);
  return outcomes.map((outcome) => ({ ...outcome, timeMs: Math.round(outcome.timeMs + share) }));
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
