import { setTimeout as sleep } from 'node:timers/promises';
import { identity } from '../process/table.mjs';
import { printFailure } from '../terminal/failure.mjs';
import { notice } from '../terminal/steps.mjs';
import { newBackoff } from './backoff.mjs';

const LOOK_MS = 1000;

/** PostgreSQL or Redis that dies is brought back on its port; one adopted from an earlier start too. */
export async function keepUp(life, name, { current, restart }) {
  const backoff = newBackoff();
  const pause = (ms) => sleep(ms, undefined, { signal: life.stop });
  try {
    for (let since = performance.now(); ; ) {
      await pause(LOOK_MS);
      if (identity(current.server.pid) !== undefined) continue;
      const wait = backoff.next(performance.now() - since);
      notice(`${name} has died; it is started again in ${wait / 1000} s`);
      await pause(wait);
      await restart().then(
        () => notice(`${name} is back`),
        (error) => !life.stop.aborted && printFailure(error),
      );
      since = performance.now();
    }
  } catch (error) {
    if (!life.stop.aborted) throw error;
  }
}
