import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Queue, Worker } from 'bullmq';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { Redis } from 'ioredis';
import { redisUrl } from '../shared/processes.mjs';

/** BullMQ alone: `add` resolves with the milliseconds until the job's function was entered. */
export async function openBullMq(prefix, concurrency, onEnd) {
  const connect = () => new Redis(redisUrl(), { maxRetriesPerRequest: null });
  const [producer, consumer] = [connect(), connect()];
  onEnd(async () => {
    producer.disconnect();
    consumer.disconnect();
  });
  const entered = openWaits();
  const queue = new Queue('bare', { connection: producer, prefix });
  onEnd(() => queue.close());
  const worker = new Worker('bare', async ({ data }) => entered.settle(data.n), {
    connection: consumer,
    prefix,
    concurrency,
  });
  onEnd(() => worker.close());
  await worker.waitUntilReady();
  const options = { removeOnComplete: true };
  return entered.adder((n) => queue.add('job', { n }, options));
}

/** Graphile Worker alone, which takes jobs from PostgreSQL. */
export async function openGraphile(databaseUrl, concurrency, onEnd) {
  const options = { connectionString: databaseUrl, logger: new Logger(() => () => undefined) };
  const utils = await makeWorkerUtils(options);
  onEnd(() => utils.release());
  await utils.migrate();
  const entered = openWaits();
  const runner = await run({
    ...options,
    concurrency,
    noHandleSignals: true,
    taskList: { bare: async ({ n }) => entered.settle(n) },
  });
  onEnd(() => runner.stop());
  return entered.adder((n) => utils.addJob('bare', { n }));
}

/** A program from its start to its end, with nothing around it. */
export async function runProgram() {
  const began = performance.now();
  await once(spawn('true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'close');
  return performance.now() - began;
}

function openWaits() {
  const waits = new Map();
  let next = 0;
  return {
    settle: (n) => {
      waits.get(n)?.(performance.now());
      waits.delete(n);
    },
    adder: (add) => async () => {
      const n = next++;
      const entered = new Promise((resolve) => waits.set(n, resolve));
      const began = performance.now();
      await add(n);
      return (await entered) - began;
    },
  };
}
