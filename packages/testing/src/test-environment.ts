import perfHooks, { type PerformanceObserver as Observer } from 'node:perf_hooks';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

compileOnce();

/** Jest's own, with what files leave behind ended after each: a worker otherwise fills with the modules of all its files. */
export default class extends TestEnvironment {
  private readonly endObservers = recordObservers();

  override async teardown(): Promise<void> {
    this.endObservers();
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

/** prom-client observes garbage collection and never stops: an observer holds the file that it was made in. */
function recordObservers(): () => void {
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
