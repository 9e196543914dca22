import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '@switchyard/async';
import { ExchangeFailure, type FailureCode } from '../../failure';
import { callScope } from './call-scope';
import type { Circuit } from './circuit';

const RETRIES = 2;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
const WORTH_A_RETRY: readonly FailureCode[] = ['network', 'timeout', 'unavailable'];
const ASKS_FOR_SILENCE: readonly FailureCode[] = ['rate_limited', 'banned'];

interface WatchedClock {
  steps(): number;
  heed(signal: AbortSignal): Promise<void>;
}

export type Call = <T>(
  method: string,
  target: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

export interface CallOptions {
  circuit: Circuit;
  failureOf(error: unknown, target: string): ExchangeFailure;
  clock: WatchedClock;
  observe(method: string, outcome: string, seconds: number): void;
}

/**
 * Retries a call up to twice after a connection failure, with full jitter. Does not use the
 * library's own retries, because the library repeats a call immediately after a 429. Retries
 * without a pause a call that failed while the clock was being set, because exchanges reject a
 * wrong time.
 */
export function createGuardedCall({ circuit, clock, failureOf, observe }: CallOptions): Call {
  return async <T>(
    method: string,
    target: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      const started = performance.now();
      const steps = clock.steps();
      const seconds = () => (performance.now() - started) / 1000;
      try {
        const scope = { target, signal };
        const result = await untilAborted(callScope.run(scope, work), signal, () => {
          throw new ExchangeFailure('deadline', target, 'the deadline of this call has passed');
        });
        circuit.succeeded();
        observe(method, 'ok', seconds());
        await clock.heed(signal);
        return result;
      } catch (error) {
        const known = failureOf(error, target);
        const failure = new ExchangeFailure(known.code, target, known.message, known.silentUntil);
        failure.attempts = attempt;
        observe(method, failure.code, seconds());
        await clock.heed(signal);
        const isStep = clock.steps() > steps && !ASKS_FOR_SILENCE.includes(failure.code);
        // Reports the library's error to the circuit, because some exchanges send errors with HTTP
        // 200.
        if (!isStep) circuit.failed(failure);
        const isOver = attempt > RETRIES || signal.aborted || circuit.state().circuit === 'open';
        if (isStep && !isOver) continue;
        if (isOver || !WORTH_A_RETRY.includes(failure.code)) throw failure;
      }
      const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
      await sleep(Math.random() * longest, undefined, { signal }).catch(() => undefined);
    }
  };
}
