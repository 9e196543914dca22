import { setMaxListeners } from 'node:events';
import { type Loop, repeat } from '@switchyard/async';
import { errorFields, type Logger, logRepeated } from '@switchyard/server';
import type { Answer, Due, Outbox, Outcome } from './outbox';
import { type Sending, send } from './send';

export interface DelivererOptions<D extends Due> extends Sending<D> {
  outbox: Outbox<D>;
  logger: Logger;
  perQueue: number;
  max?: number;
  slowMs?: number;
}

const MAX = 64;
const SLOW_MS = 2_000;
const POLL_MS = 500;
const GRACE_MS = 3_000;

/**
 * Sends due requests with a limited number of connections. Slow receivers never delay others: a
 * queue whose last attempt failed or was slow gets one connection. All such queues together get at
 * most half of the connections. One owner gets at most half of all connections, and less than a
 * quarter for its slow queues.
 */
function createSender<D extends Due>(options: DelivererOptions<D>, closing: AbortSignal) {
  const { outbox, logger, perQueue, max = MAX, slowMs = SLOW_MS } = options;
  setMaxListeners(max, closing);
  const eighth = Math.max(1, Math.floor(max / 8));
  const lagging = new Map<string, string>();
  const busy = new Map<string, number>();
  const busyOwners = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  let delivered = 0;

  const change = ({ queue, owner }: D, by: number) => {
    add(busy, queue, by);
    add(busyOwners, owner, by);
  };

  const fullQueues = () => {
    const full = [...busy].filter(([queue, count]) => count >= (lagging.has(queue) ? 1 : perQueue));
    const slow = new Map<string, number>();
    for (const [queue, count] of busy) {
      const owner = lagging.get(queue);
      if (owner !== undefined) add(slow, owner, count);
    }
    const isHalf = [...slow.values()].reduce((sum, count) => sum + count, 0) >= max / 2;
    const held = [...lagging].filter(([, owner]) => isHalf || (slow.get(owner) ?? 0) >= eighth);
    return [...new Set([...full, ...held].map(([queue]) => queue))];
  };

  const deliver = async (due: D) => {
    const { retryAfterMs, ...answer } = await send(options, due, closing);
    // Leaves the request claimed: another process sends it once the claim has expired.
    if (closing.aborted && answer.status === null) return;
    const outcome = decideOutcome(answer, due.attempts, retryAfterMs, Math.random());
    const isDelivered = outcome.kind === 'delivered';
    if (isDelivered && answer.durationMs < slowMs) lagging.delete(due.queue);
    else lagging.set(due.queue, due.owner);
    if (isDelivered) delivered++;
    else {
      const { webhookId, attempts } = due;
      const { error, kind } = outcome;
      logger.warn('a webhook could not be delivered', {
        webhookId,
        attempts,
        error,
        outcome: kind,
      });
    }
    await outbox.settle(due, outcome);
  };

  const begin = async (onEnd: () => void = () => undefined): Promise<number> => {
    const room = max - underWay.size;
    if (room <= 0 || closing.aborted) return 0;
    const full = [...busyOwners].filter(([, count]) => count >= max / 2);
    const claimed = await outbox.claim({
      ...{ room, perOwner: eighth, except: fullQueues() },
      exceptOwners: full.map(([owner]) => owner),
    });
    for (const due of claimed) {
      change(due, 1);
      const ended = deliver(due)
        .catch((error: unknown) =>
          logRepeated(logger, 'warn', 'a delivery could not be recorded', errorFields(error)),
        )
        .finally(() => {
          underWay.delete(ended);
          change(due, -1);
          onEnd();
        });
      underWay.add(ended);
    }
    return claimed.length;
  };

  return { begin, underWay, delivered: () => delivered };
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

export async function deliverDue<D extends Due>(options: DelivererOptions<D>): Promise<number> {
  const sender = createSender(options, new AbortController().signal);
  for (;;) {
    if ((await sender.begin()) > 0) continue;
    if (sender.underWay.size === 0) return sender.delivered();
    await Promise.race(sender.underWay);
  }
}

export function openDeliverer<D extends Due>(options: DelivererOptions<D>): Loop {
  const closing = new AbortController();
  const sender = createSender(options, closing.signal);
  const loop = repeat(async (_closing, runNow) => {
    try {
      return (await sender.begin(runNow)) > 0 ? 0 : POLL_MS;
    } catch (error) {
      logRepeated(options.logger, 'warn', 'deliveries could not be read', errorFields(error));
      return POLL_MS;
    }
  });
  return {
    runNow: loop.runNow,
    close: async () => {
      const timer = setTimeout(() => closing.abort(), GRACE_MS);
      await loop.close();
      await Promise.all(sender.underWay);
      clearTimeout(timer);
    },
  };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Schedule of the Standard Webhooks specification: nine retries within 75 hours. */
const PAUSES_MS = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/**
 * Largest share of a pause that is added at random, so that a recovered receiver does not get all
 * requests at the same time.
 */
const JITTER = 0.1;

function decideOutcome(
  answer: Answer,
  attempts: number,
  retryAfterMs: number | undefined,
  random: number,
): Outcome {
  const { status } = answer;
  if (status !== null && status >= 200 && status < 300) return { ...answer, kind: 'delivered' };
  if (status === 410) return { ...answer, kind: 'gone' };
  const pause = PAUSES_MS[attempts];
  if (pause === undefined) return { ...answer, kind: 'given_up' };
  const afterMs = Math.max(pause, retryAfterMs ?? 0) * (1 + random * JITTER);
  return { ...answer, kind: 'retry', afterMs: Math.round(afterMs) };
}
