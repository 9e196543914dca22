import { hostname } from 'node:os';
import { newId } from '@switchyard/db';
import { type Consumer, consume } from '@switchyard/queue';
import { errorFields } from '@switchyard/server';
import type { Context } from './context';
import { claimRun } from './features/heartbeats/claim-run';
import { executeRun } from './features/heartbeats/execute-run';
import { type Leases, openLeases } from './features/heartbeats/leases';
import { startSweeps } from './sweeps';

export interface Workers {
  leases: Leases;
  /** Takes no new work, waits for running work until the deadline, then hands the rest over. */
  close(deadlineMs: number): Promise<void>;
}

/** The `heartbeat-runs` job: claim the row that was named, and run it. */
export async function serveRun(
  context: Context,
  leases: Leases,
  workerId: string,
  runId: string,
): Promise<void> {
  const run = await claimRun(context, runId, workerId);
  if (run) await executeRun(context, leases, run);
}

async function drainRuns(consumers: Consumer[], leases: Leases, deadlineMs: number) {
  const late = setTimeout(() => {
    for (const run of leases.tracked()) run.abort('handed_over');
  }, deadlineMs);
  await Promise.all(consumers.map((consumer) => consumer.close()));
  clearTimeout(late);
}

export function startWorkers(context: Context): Workers {
  const { config, logger, queues } = context;
  const workerId = `${hostname()}-${process.pid}-${newId()}`;
  const leases = openLeases({ url: config.databaseUrl, leaseMs: config.leaseMs, logger });
  const onError = (error: unknown) => logger.warn('a job could not be done', errorFields(error));
  const options = { prefix: config.redisPrefix, onError };
  const consumers = [
    consume(
      queues.consumer,
      { ...options, queue: 'heartbeat-runs', concurrency: config.workerConcurrency },
      ({ runId }) => serveRun(context, leases, workerId, runId),
    ),
  ];
  const sweeps = startSweeps(context);
  return {
    leases,
    close: async (deadlineMs) => {
      await sweeps.close();
      await drainRuns(consumers, leases, deadlineMs);
      await leases.close();
    },
  };
}
