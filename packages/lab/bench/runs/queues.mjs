import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Queue } from 'bullmq';
import { makeWorkerUtils } from 'graphile-worker';
import { connectRedis, consumers, now, quiet } from './consumers.mjs';

const CONSUMER = fileURLToPath(new URL('./consumer.mjs', import.meta.url));

/**
 * Opens BullMQ and Graphile Worker with their default setup. `apart` runs the consumer in another
 * process, as the product does; `together` runs it in this process. Both resolve with the ms until
 * the job's function started.
 */
export async function openQueues(settings, onEnd) {
  const queues = [];
  for (const [name, kind, produce] of [
    ['BullMQ', 'bullmq', produceBullMq],
    ['Graphile Worker', 'graphile', produceGraphile],
  ]) {
    const apart = await open(kind, produce, consumeApart, { ...settings, queue: 'apart' }, onEnd);
    const here = await open(kind, produce, consumeHere, { ...settings, queue: 'together' }, onEnd);
    queues.push({ name, pids: [], apart, together: here });
  }
  return queues;
}

async function open(kind, produce, consume, settings, onEnd) {
  const waits = new Map();
  const producer = await produce(settings);
  onEnd(producer.close);
  const stop = await consume(kind, settings, (n, at) => {
    waits.get(n)?.(at);
    waits.delete(n);
  });
  onEnd(stop);
  let next = 0;
  return async () => {
    const n = next++;
    const entered = new Promise((resolve) => waits.set(n, resolve));
    const began = now();
    await producer.add(n);
    return (await entered) - began;
  };
}

async function produceBullMq(settings) {
  const connection = connectRedis(settings);
  const queue = new Queue(settings.queue, { connection, prefix: settings.prefix });
  await queue.waitUntilReady();
  return {
    add: (n) => queue.add('job', { n }, { removeOnComplete: true }),
    close: async () => {
      await queue.close();
      connection.disconnect();
    },
  };
}

async function produceGraphile({ databaseUrl, queue }) {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger: quiet });
  await utils.migrate();
  return { add: (n) => utils.addJob(queue, { n }), close: () => utils.release() };
}

const consumeHere = (kind, settings, onJob) => consumers[kind](settings, onJob);

async function consumeApart(kind, settings, onJob) {
  const child = fork(CONSUMER, [kind, JSON.stringify(settings)]);
  process.once('exit', () => child.kill('SIGKILL'));
  await once(child, 'message');
  child.on('message', ({ n, at }) => onJob(n, at));
  return async () => {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  };
}

export async function runProgram() {
  const began = performance.now();
  await once(spawn('true', { stdio: ['ignore', 'pipe', 'pipe'] }), 'close');
  return performance.now() - began;
}
