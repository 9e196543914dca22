import { setTimeout as sleep } from 'node:timers/promises';
import { identity } from '@switchyard/bootstrap/identity';
import { notice, printFailure } from '@switchyard/bootstrap/terminal';
import type { Lifecycle } from '../process/lifecycle.js';
import { newBackoff } from './backoff.js';

const LOOK_MS = 1000;

export interface KeptServer {
  pid: () => number;
  /** Brings it back on its port after its end. */
  restart: () => Promise<unknown>;
}

/** PostgreSQL or Redis that dies is brought back on its port; one adopted from an earlier start too. */
export async function keepUp(
  { stop }: Lifecycle,
  name: string,
  { pid, restart }: KeptServer,
): Promise<void> {
  const backoff = newBackoff();
  const pause = (ms: number) => sleep(ms, undefined, { signal: stop });
  try {
    for (let since = performance.now(); ; ) {
      await pause(LOOK_MS);
      if (identity(pid()) !== undefined) continue;
      const wait = backoff.next(performance.now() - since);
      notice(`${name} has died; it is started again in ${wait / 1000} s`);
      await pause(wait);
      await restart().then(
        () => notice(`${name} is back`),
        (error) => !stop.aborted && printFailure(error),
      );
      since = performance.now();
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
