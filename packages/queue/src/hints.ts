import { withTimeout } from '@switchyard/async';
import { JOBS, type JobPayload, type QueueName } from '@switchyard/types';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { v7 } from 'uuid';

/**
 * Maximum time in ms that a response waits for Redis; the sweep replaces hints that were not added
 * in time.
 */
const HINT_BUDGET_MS = 50;

export interface Hints {
  /**
   * Reports that a row is waiting. Never throws, because the sweep finds the row without the hint.
   */
  hint<Name extends QueueName>(queue: Name, payload: JobPayload<Name>): Promise<void>;
  close(): Promise<void>;
}

export function openHints(
  producer: Redis,
  prefix: string,
  onLost: (queue: QueueName, error: unknown) => void,
): Hints {
  const names = Object.keys(JOBS) as QueueName[];
  const queues = new Map(
    names.map((name) => {
      const queue = new Queue(name, { connection: producer, prefix });
      queue.on('error', () => undefined);
      return [name, queue];
    }),
  );
  return {
    hint: async (name, payload) => {
      // Uses a unique job id, because BullMQ ignores a job with an existing id.
      const added = queues
        .get(name)
        ?.add(name, payload, { jobId: `hint-${v7()}`, removeOnComplete: true, removeOnFail: true })
        .catch((error: unknown) => onLost(name, error));
      if (added) await withTimeout(added, HINT_BUDGET_MS, () => undefined);
    },
    close: async () => {
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
