import { JOBS, type JobPayload, type QueueName } from '@switchyard/types';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';

export interface Consumer {
  isRunning(): boolean;
  close(): Promise<void>;
}

/** Drops a job with an invalid payload, because the sweep finds its row. */
export function consume<Name extends QueueName>(
  consumer: Redis,
  options: {
    prefix: string;
    queue: Name;
    concurrency: number;
    onError(error: unknown, payload?: object): void;
  },
  work: (payload: JobPayload<Name>) => Promise<void>,
): Consumer {
  const worker = new Worker(
    options.queue,
    async (job) => {
      const payload = JOBS[options.queue].safeParse(job.data);
      if (!payload.success) return options.onError(payload.error);
      await work(payload.data as JobPayload<Name>).catch((error: unknown) =>
        options.onError(error, payload.data),
      );
    },
    {
      connection: consumer,
      prefix: options.prefix,
      concurrency: options.concurrency,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
      // The row's lease decides which worker has the run, so a repeated stalled job is harmless.
      maxStalledCount: 1,
      drainDelay: 5,
    },
  );
  worker.on('error', (error) => options.onError(error));
  return { isRunning: () => worker.isRunning(), close: () => worker.close() };
}
