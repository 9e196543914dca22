import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { untilAborted } from '@switchyard/async';
import { lock } from 'proper-lockfile';

/**
 * Runs `work` while no other process that uses the folder holds the key. The signal that `work`
 * receives aborts if the lock is lost.
 * @throws errors of `work`, or the reason of `signal` while waiting
 */
export type Exclusive = <T>(
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

const ASK_AGAIN_MS = 100;
/** Time in ms after which the lock of a killed process is free. */
const STALE_MS = 10_000;

/** Uses file locks, because they work between containers that share the data folder. */
export function createHostLock(folder: string): Exclusive {
  const queues = new Map<string, Promise<unknown>>();

  const hold: Exclusive = async (key, signal, work) => {
    const path = await makeLockable(folder, key);
    const lost = new AbortController();
    const either = AbortSignal.any([signal, lost.signal]);
    const release = await acquire(path, signal, () => lost.abort());
    try {
      return await work(either);
    } finally {
      await release().catch(() => undefined);
    }
  };

  return (key, signal, work) => {
    const before = queues.get(key) ?? Promise.resolve();
    const mine = untilAborted(before, signal).then(() => hold(key, signal, work));
    // An aborted caller stops waiting, but callers after it still wait for the holder.
    const settled = Promise.allSettled([before, mine]);
    queues.set(key, settled);
    void settled.then(() => queues.get(key) === settled && queues.delete(key));
    return mine;
  };
}

async function makeLockable(folder: string, key: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, createHash('sha256').update(key).digest('hex'));
}

async function acquire(path: string, signal: AbortSignal, onCompromised: () => void) {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await lock(path, { stale: STALE_MS, realpath: false, onCompromised });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
      await delay(ASK_AGAIN_MS, undefined, { signal });
    }
  }
}
