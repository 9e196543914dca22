import { setTimeout as sleep } from 'node:timers/promises';
import { identity } from '@switchyard/bootstrap/identity';
import { notice, printFailure } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from './lifecycle.js';

const POLL_MS = 500;
const FIRST_MS = 1000;
const MOST_MS = 30_000;
const STEADY_MS = 60_000;

export interface KeptProcess {
  pid: () => number | undefined;
  ended?: () => string | undefined;
  restart: () => unknown;
}

export async function keepUp(
  { stop }: Lifecycle,
  name: string,
  { pid, ended, restart }: KeptProcess,
): Promise<void> {
  const backoff = newBackoff();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop });
  try {
    for (let since = performance.now(); ; ) {
      await pause(POLL_MS);
      if (identity(pid() ?? 0) !== undefined) continue;
      const wait = backoff.next(performance.now() - since);
      notice(`${name} ${ended?.() ?? 'has died'}; restarting in ${wait / 1000} s`);
      await pause(wait);
      since = performance.now();
      await Promise.resolve()
        .then(restart)
        .catch((error) => !stop.aborted && printFailure(error));
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

export function newBackoff() {
  let failures = 0;
  return {
    next(ranForMs: number): number {
      failures = ranForMs > STEADY_MS ? 1 : failures + 1;
      return Math.min(FIRST_MS * 2 ** (failures - 1), MOST_MS);
    },
  };
}
