import { Worker } from 'bullmq';
import { Logger, run } from 'graphile-worker';
import { Redis } from 'ioredis';

const CONCURRENCY = 64;

export const now = () => performance.timeOrigin + performance.now();

export const connectRedis = ({ redisUrl }) => new Redis(redisUrl, { maxRetriesPerRequest: null });
export const quiet = new Logger(() => () => undefined);

export const consumers = {
  bullmq: async (settings, onJob) => {
    const connection = connectRedis(settings);
    const { queue, prefix } = settings;
    const process = async ({ data }) => onJob(data.n, now());
    const worker = new Worker(queue, process, { connection, prefix, concurrency: CONCURRENCY });
    await worker.waitUntilReady();
    return async () => {
      await worker.close();
      connection.disconnect();
    };
  },
  graphile: async ({ databaseUrl, queue }, onJob) => {
    const runner = await run({
      connectionString: databaseUrl,
      logger: quiet,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      taskList: { [queue]: async ({ n }) => onJob(n, now()) },
    });
    return () => runner.stop();
  },
};
