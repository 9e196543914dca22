import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HostProcess, listProcesses, READS_PER_TURN } from './list-processes';
import { readProc } from './read-proc';

export interface ProcessScan {
  processes: readonly HostProcess[];
  /** `matches` receives `\0NAME=value\0…\0`. Without /proc the result is empty. */
  findByEnvironment(
    candidates: readonly HostProcess[],
    matches: (environment: string) => boolean,
  ): Promise<Set<number>>;
}

export const scanProcesses: () => Promise<ProcessScan> = shareNext(scan);

async function scan(): Promise<ProcessScan> {
  const processes = await listProcesses();
  const environments = new Map<number, string | null>();
  const environmentOf = (pid: number): string | null => {
    const known = environments.get(pid);
    if (known !== undefined) return known;
    const environment = readEnvironment(pid);
    environments.set(pid, environment);
    return environment;
  };
  return {
    processes,
    findByEnvironment: async (candidates, matches) => {
      const found = new Set<number>();
      if (process.platform !== 'linux') return found;
      let reads = 0;
      for (const { pid } of candidates) {
        const environment = environmentOf(pid);
        if (environment !== null && matches(environment)) found.add(pid);
        if (++reads % READS_PER_TURN === 0) await nextTurn();
      }
      return found;
    },
  };
}

function readEnvironment(pid: number): string | null {
  try {
    return `\0${readProc(`/proc/${pid}/environ`, 'utf8')}\0`;
  } catch {
    return null;
  }
}

/** A call during `work` waits for the next execution, so that no result is older than its call. */
export function shareNext<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  const run = (): Promise<T> => {
    const begun = work().finally(() => {
      if (running === begun) running = null;
    });
    running = begun;
    return begun;
  };

  return () => {
    if (next) return next;
    if (!running) return run();
    next = running.then(startNext, startNext);
    return next;
  };

  function startNext(): Promise<T> {
    next = null;
    return run();
  }
}
