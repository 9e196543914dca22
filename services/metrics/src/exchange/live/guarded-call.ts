import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '@switchyard/async';
import { ExchangeFailure, type FailureCode } from '../failure';
import { callScope } from './call-scope';
import type { Circuit } from './circuit';

const RETRIES = 2;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
const WORTH_A_RETRY: readonly FailureCode[] = ['network', 'timeout', 'unavailable'];

/** Asks the exchange for something about `target`. */
export type Call = <T>(
  method: string,
  target: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

export interface CallOptions {
  circuit: Circuit;
  failureOf(error: unknown, target: string): ExchangeFailure;
  /** Told how each attempt ended, for the exposition. */
  observe(method: string, outcome: string, seconds: number): void;
}

/**
 * One call with up to two repeats after a fault of the connection, with full jitter and within the caller's
 * time. The library's own repeats are off: they repeat a 429 at once.
 */
export function createGuardedCall({ circuit, failureOf, observe }: CallOptions): Call {
  return async <T>(
    method: string,
    target: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const started = performance.now();
      const seconds = () => (performance.now() - started) / 1000;
      try {
        const scope = { target, signal };
        // The library's own queue and parsing know no deadline.
        const result = await untilAborted(callScope.run(scope, work), signal, () => {
          throw new ExchangeFailure('deadline', target, 'the time for this call was over');
        });
        circuit.succeeded();
        observe(method, 'ok', seconds());
        return result;
      } catch (error) {
        const known = failureOf(error, target);
        const failure = new ExchangeFailure(known.code, target, known.message, known.silentUntil);
        failure.attempts = attempt;
        // By what the library made of the answer: some exchanges say everything with HTTP 200.
        circuit.failed(failure);
        observe(method, failure.code, seconds());
        const isOver = attempt > RETRIES || signal.aborted || circuit.state().circuit === 'open';
        if (isOver || !WORTH_A_RETRY.includes(failure.code)) throw failure;
      }
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
      await sleep(Math.random() * longest, undefined, { signal }).catch(() => undefined);
    }
  };
}
