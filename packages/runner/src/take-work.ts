import { setTimeout as delay } from 'node:timers/promises';
import { logRepeated } from '@switchyard/server/log-repeated';
import type { Logger } from '@switchyard/server/logger';
import type { RunnerNextBody, RunnerWork } from '@switchyard/types';
import { failureFields, NotReached, Refused } from './protocol/request';
import { pauseAfter } from './protocol/retry-until-accepted';
import type { RunProtocol } from './protocol/run-protocol';

export interface WorkIntake {
  freed(): void;
  close(): Promise<void>;
}

export interface IntakeOptions {
  protocol: Pick<RunProtocol, 'next'>;
  logger: Logger;
  request(waitMs: number): RunnerNextBody;
  take(work: RunnerWork): void;
  onUnknown(): Promise<void>;
  onReplaced(refused: Refused): void;
}

/**
 * With 25 % of its slots free a runner already gets any run (`mayTake`), so one more free slot
 * changes nothing.
 */
const hasPlenty = ({ free, running }: RunnerNextBody) => 4 * free > free + running.length;

const WAIT_MS = 25_000;
const SHORTEST_WAIT_MS = 1_000;
/** Response statuses of a proxy that timed out; 524 is Cloudflare's. */
const CUT_SHORT = [504, 524];

/**
 * Time in ms for which the open poll continues after a slot becomes free. The server checks for
 * work again within a second, and cancelling the poll may lose a response.
 */
const CANCEL_AFTER_MS = 1_500;

/**
 * Polls for work with one long request at a time. The server takes back work that the next request
 * does not list, so a lost response loses no run.
 */
export function takeWork(options: IntakeOptions): WorkIntake {
  const closing = new AbortController();
  let again: () => void = () => undefined;
  let waitMs = WAIT_MS;

  const poll = async (): Promise<void> => {
    const stop = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const polledAt = performance.now();
    const body = options.request(waitMs);
    again = () => {
      if (!hasPlenty(body)) timer ??= setTimeout(() => stop.abort(), CANCEL_AFTER_MS);
    };
    const signal = AbortSignal.any([closing.signal, stop.signal]);
    try {
      options.take(await options.protocol.next(body, signal));
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof NotReached && CUT_SHORT.includes(error.status ?? 0)) {
        const waited = performance.now() - polledAt;
        waitMs = Math.max(SHORTEST_WAIT_MS, Math.min(waitMs, Math.floor(waited * 0.75)));
      }
      throw error;
    } finally {
      again = () => undefined;
      clearTimeout(timer);
    }
  };

  const handleRefusal = async (refused: Refused): Promise<void> => {
    if (refused.code === 'unknown_instance') return options.onUnknown();
    if (refused.code === 'runner_replaced') return options.onReplaced(refused);
    logRepeated(
      options.logger,
      'error',
      'the server refused the request for work',
      failureFields(refused),
    );
  };

  const loop = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted; ) {
      try {
        await poll();
        failures = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (error instanceof Refused) await handleRefusal(error);
        else
          logRepeated(
            options.logger,
            'warn',
            'the server could not be reached',
            failureFields(error),
          );
        const again = error instanceof NotReached ? error : { againAfterMs: null };
        const pause = delay(pauseAfter(failures++, again), undefined, { signal: closing.signal });
        await pause.catch(() => undefined);
      }
    }
  };
  const ended = loop();

  return {
    freed: () => again(),
    close: async () => {
      closing.abort();
      await ended;
    },
  };
}
