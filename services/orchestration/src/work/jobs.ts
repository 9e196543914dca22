import { hostname } from 'node:os';
import { newId } from '@switchyard/db';
import { consume } from '@switchyard/queue';
import { errorFields, logRepeated } from '@switchyard/server';
import { startDeadlines } from '../features/approvals/deadlines/start-deadlines';
import { startDeliveries } from '../features/callbacks/start-deliveries';
import { startDiagnoses } from '../features/checks/run-diagnoses';
import { startPodPlacement } from '../features/pods/start-placement';
import { fireScheduled } from '../features/routines/firing/fire-scheduled';
import { startSchedules } from '../features/routines/schedule/start-schedules';
import { claimNextRun } from '../features/runs/claim/claim-next-run';
import { type Leases, openLeases } from '../features/runs/claim/leases';
import { createRunSlots, type RunSlots, serving } from '../features/runs/claim/run-slots';
import { executeRun } from '../features/runs/execute/execute-run';
import { type DrainDeadlines, drainRuns } from '../features/runs/sweep/drain-runs';
import { processWakeup } from '../features/wakes/process-wakeup';
import { startCollecting } from '../features/webhooks/collect-events';
import type { Context } from '../kernel/context';
import { withJobContext } from '../kernel/with-job-context';
import { startErasing } from './erase-companies';
import { startRetention } from './retention';
import { startFolding, startSweeps } from './sweeps';
import { watchInvariants } from './watch-invariants';

export interface Workers {
  leases: Leases;
  close(deadlines: DrainDeadlines): Promise<void>;
}

const ADMISSIONS = 4;
const FIRINGS = 4;

export interface RunServer {
  context: Context;
  leases: Leases;
  workerId: string;
  slots: RunSlots;
}

/** Claims runs until none may use the slot. The claimed runs may differ from the hinted run. */
export async function serveRuns(server: RunServer, runId: string): Promise<void> {
  const { context, leases } = server;
  let hintedId: string | null = runId;
  for (;;) {
    const taken = await claimNextRun(server, hintedId);
    if (!taken) return;
    try {
      await withJobContext('heartbeat-runs', taken.run, () =>
        executeRun(context, leases, taken.run),
      );
    } finally {
      taken.leave();
    }
    hintedId = null;
  }
}

export function startWorkers(context: Context): Workers {
  const { config, logger, queues } = context;
  const workerId = `${hostname()}-${process.pid}-${newId()}`;
  const leases = openLeases({ url: config.databaseUrl, leaseMs: config.leaseMs, logger });
  const slots = createRunSlots(config.workerConcurrency);
  const server = { context, leases, workerId, slots };
  const onError = (error: unknown, payload?: object) =>
    logRepeated(logger, 'warn', 'a job failed', { ...payload, ...errorFields(error) });
  serving(context).slots = slots;
  context.metrics.workerSlots.set(config.workerConcurrency);
  const options = { prefix: config.redisPrefix, onError };
  const consumers = [
    consume(
      queues.consumer,
      { ...options, queue: 'heartbeat-runs', concurrency: config.workerConcurrency },
      ({ runId }) => serveRuns(server, runId),
    ),
    consume(
      queues.consumer,
      { ...options, queue: 'mention-wakeups', concurrency: ADMISSIONS },
      ({ wakeupId }) => processWakeup(context, wakeupId),
    ),
    consume(
      queues.consumer,
      { ...options, queue: 'routine-firings', concurrency: FIRINGS },
      ({ routineRunId }) => fireScheduled(context, routineRunId),
    ),
  ];
  const schedules = startSchedules(context);
  const sweeps = startSweeps(context);
  const folding = startFolding(context);
  const erasing = startErasing(context);
  const checks = startDiagnoses(context);
  const steps = startDeadlines(context);
  const deliveries = startDeliveries(context);
  const collecting = startCollecting(context, deliveries.runNow);
  const retention = startRetention(context);
  const invariants = watchInvariants(context);
  const placement = startPodPlacement(context);
  return {
    leases,
    close: async (deadlines) => {
      slots.close();
      // Runs concurrently, because the hand-over of runs must not wait for the removal of a folder.
      const others = [
        schedules,
        sweeps,
        folding,
        erasing,
        checks,
        collecting,
        steps,
        deliveries,
        retention,
        invariants,
        placement,
      ].map((each) => each.close());
      const ended = Promise.all(consumers.map((consumer) => consumer.close()));
      await drainRuns(leases, ended, deadlines);
      await Promise.all(others);
      await leases.close();
    },
  };
}
