import { setTimeout as delay } from 'node:timers/promises';
import { untilAborted } from '@switchyard/async';
import { connectAlone } from './pool';

const ASK_AGAIN_MS = 100;
const TIMEOUT_MS = 8_000;

/**
 * Runs `work` while nobody else with the same key does, in whatever process. The lock is a session's of
 * PostgreSQL, so it falls with the process that holds it; `work` gets a signal that also ends it when the
 * connection, and with it the lock, is lost.
 * @throws what `work` throws, or the reason of `signal` while waiting
 */
export type Exclusive = <T>(
  key: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
) => Promise<T>;

/** One connection for each key that is waited for or held, outside the pool: work may take minutes. */
export function createExclusive(options: { url: string; applicationName: string }): Exclusive {
  /** Those of one process wait for each other here, and hold no connection while they do. */
  const queues = new Map<string, Promise<unknown>>();

  const hold: Exclusive = async (key, signal, work) => {
    signal.throwIfAborted();
    const lost = new AbortController();
    const onLost = () => lost.abort(new Error('the connection that holds a lock was lost'));
    const client = await connectAlone({ ...options, timeoutMs: TIMEOUT_MS, onLost });
    const either = AbortSignal.any([signal, lost.signal]);
    try {
      for (;;) {
        const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held';
        const { rows } = await client.query<{ held: boolean }>(text, [key]);
        if (rows[0]?.held) break;
        await delay(ASK_AGAIN_MS, undefined, { signal: either });
      }
      return await work(either);
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  return (key, signal, work) => {
    const before = queues.get(key) ?? Promise.resolve();
    const mine = untilAborted(before, signal).then(() => hold(key, signal, work));
    // Who was aborted leaves, and those behind still wait for the one before.
    const settled = Promise.allSettled([before, mine]);
    queues.set(key, settled);
    void settled.then(() => queues.get(key) === settled && queues.delete(key));
    return mine;
  };
}
