import asyncHooks, { type AsyncLocalStorage as Storage } from 'node:async_hooks';
import perfHooks, { type PerformanceObserver as Observer } from 'node:perf_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

compileOnce();

/** Jest's own, with what files leave behind ended after each: a worker otherwise fills with the modules of all its files. */
export default class extends TestEnvironment {
  private readonly ends = [endStorages(), endObservers()];

  override async teardown(): Promise<void> {
    for (const end of this.ends) end();
    await super.teardown();
  }
}

/**
 * Every file runs its modules anew, and Jest compiles them anew for it, which is most of what an import takes. A script is
 * compiled once a worker and run in the context of each file.
 */
function compileOnce(): void {
  const compiled = new Map<string, { head: string; source: string; script: vm.Script }>();
  vm.compileFunction = ((source, names = [], { filename = '', parsingContext } = {}) => {
    const head = `(function (${names}) {`;
    let found = compiled.get(filename);
    if (found?.source !== source || found.head !== head) {
      const options = { filename, columnOffset: -head.length };
      found = { head, source, script: new vm.Script(`${head}${source}\n})`, options) };
      compiled.set(filename, found);
    }
    return found.script.runInContext(parsingContext as vm.Context);
  }) as typeof vm.compileFunction;
}

/**
 * A storage that was used is visited whenever anything asynchronous begins, for as long as the process lives: with those of
 * all earlier files each promise takes many times longer.
 */
function endStorages(): () => void {
  const { AsyncLocalStorage } = asyncHooks;
  const made: Storage<unknown>[] = [];
  class Recorded<T> extends AsyncLocalStorage<T> {
    constructor() {
      super();
      made.push(this);
    }
  }
  asyncHooks.AsyncLocalStorage = Recorded;
  return () => {
    for (const each of made) each.disable();
    asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
  };
}

/** prom-client observes garbage collection and never stops: an observer holds the file that it was made in. */
function endObservers(): () => void {
  const { PerformanceObserver } = perfHooks;
  const made: Observer[] = [];
  class Recorded extends PerformanceObserver {
    constructor(callback: ConstructorParameters<typeof PerformanceObserver>[0]) {
      super(callback);
      made.push(this);
    }
  }
  perfHooks.PerformanceObserver = Recorded as typeof PerformanceObserver;
  return () => {
    for (const each of made) each.disconnect();
    perfHooks.PerformanceObserver = PerformanceObserver;
  };
}
