import { setTimeout as delay } from 'node:timers/promises';
import { logRepeated } from '@switchyard/server/log-repeated';
import type { Logger } from '@switchyard/server/logger';
import type { RunnerNextBody, RunnerWork } from '@switchyard/types';
import { failureFields, NotReached, Refused } from './protocol/request';
import type { RunProtocol } from './protocol/run-protocol';
import { pauseAfter } from './protocol/until-taken';

export interface WorkIntake {
  /** A place became free: a request that it matters to, and that nothing comes of, is asked anew. */
  freed(): void;
  /** Takes nothing further; resolves when no request is under way. */
  close(): Promise<void>;
}

export interface IntakeOptions {
  protocol: Pick<RunProtocol, 'next'>;
  logger: Logger;
  /** What to ask for now, waiting so many milliseconds for it. */
  request(waitMs: number): RunnerNextBody;
  /** Called before the next request, which names what is held by then. */
  take(work: RunnerWork): void;
  /** The server does not know this start of the runner, or not any more. */
  onUnknown(): Promise<void>;
  /** Nothing can come of further requests. */
  onReplaced(refused: Refused): void;
}

/**
 * With a quarter of its places free a runner is given whatever waits (`mayTake`): one place more would change nothing,
 * and a request that is ended may have a response on its way.
 */
const hasPlenty = ({ free, running }: RunnerNextBody) => 4 * free > free + running.length;

const WAIT_MS = 25_000;
const SHORTEST_WAIT_MS = 1_000;
/** What proxies say whose patience is shorter than our wait; 524 is Cloudflare's. */
const CUT_SHORT = [504, 524];

/**
 * So long after a place became free a request is left alone. The server gives the place away by itself, at the latest when
 * it looks again after a second; a request that is ended meanwhile may have a response on its way, and a response that is
 * lost costs a claim and a loss of the run.
 */
const LEAVE_ALONE_MS = 1_500;

/**
 * Asks for work, one request at a time, each of which waits at the server until there is some. What the server has given
 * and no request names as held it takes back, so a response that is lost on the way costs nothing.
 */
export function takeWork(options: IntakeOptions): WorkIntake {
  const closing = new AbortController();
  let again: () => void = () => undefined;
  let waitMs = WAIT_MS;

  const ask = async (): Promise<void> => {
    const stop = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const askedAt = performance.now();
    const body = options.request(waitMs);
    again = () => {
      if (!hasPlenty(body)) timer ??= setTimeout(() => stop.abort(), LEAVE_ALONE_MS);
    };
    const signal = AbortSignal.any([closing.signal, stop.signal]);
    try {
      options.take(await options.protocol.next(body, signal));
    } catch (error) {
      if (stop.signal.aborted) return;
      if (error instanceof NotReached && CUT_SHORT.includes(error.status ?? 0)) {
        const waited = performance.now() - askedAt;
        waitMs = Math.max(SHORTEST_WAIT_MS, Math.min(waitMs, Math.floor(waited * 0.75)));
      }
      throw error;
    } finally {
      again = () => undefined;
      clearTimeout(timer);
    }
  };

  const hearRefusal = async (refused: Refused): Promise<void> => {
    if (refused.code === 'unknown_instance') return options.onUnknown();
    if (refused.code === 'runner_replaced') return options.onReplaced(refused);
    logRepeated(options.logger, 'error', 'the server gives no work', failureFields(refused));
  };

  const loop = async (): Promise<void> => {
    for (let failures = 0; !closing.signal.aborted; ) {
      try {
        await ask();
        failures = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (error instanceof Refused) await hearRefusal(error);
        else
          logRepeated(options.logger, 'warn', 'the server was not reached', failureFields(error));
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
