import { Counter, Gauge, type Registry } from 'prom-client';
import { partOf } from '../kernel/context';
import { METRIC_PREFIX } from '../kernel/metrics';
import { type QueueState, queueRules, readQueueState, WAITING_KINDS } from './queue-state';
import { createRefreshedGauges, type RefreshedGauges, type RefreshTimes } from './refreshed-gauges';

export const queueGauges = partOf((context) =>
  createQueueGauges(context.metrics.registry, () =>
    readQueueState(context.probePool, queueRules(context)),
  ),
);

/** All replicas export the same values, so aggregate them with `max()`, never with `sum()`. */
export function createQueueGauges(
  registry: Registry,
  read: () => Promise<QueueState>,
  times: RefreshTimes = {},
): RefreshedGauges {
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `${METRIC_PREFIX}_${name}`, help, labelNames, registers });
  const waiting = gauge(
    'heartbeat_runs_waiting',
    'Number of runs that only wait for a worker or runner.',
  );
  const queued = gauge(
    'heartbeat_runs_queued',
    'Number of runs that have not started, for any reason.',
  );
  const running = gauge(
    'heartbeat_runs_running',
    'Number of runs that have started and not ended.',
  );
  const abandoned = gauge(
    'heartbeat_runs_abandoned',
    'Number of running runs whose lease has expired.',
  );
  const lastBackup = gauge(
    'last_backup_timestamp_seconds',
    'Unix time at which the last backup was completed; 0 if no backup was recorded.',
  );
  const installed = gauge(
    'installed_timestamp_seconds',
    'Unix time at which the first migration of the database ran.',
  );
  const depth = gauge('queue_depth', 'Number of rows that wait for a worker.', ['queue']);
  const age = gauge(
    'queue_oldest_age_seconds',
    'Seconds that the oldest row has waited; 0 if no row waits.',
    ['queue'],
  );
  const stalled = gauge(
    'queue_stalled_seconds',
    'Seconds that the oldest row has waited although a worker could process it; 0 if no such row waits.',
    ['queue'],
  );
  const unplaceable = gauge(
    'heartbeat_runs_unplaceable',
    'Number of waiting runs that no runner can execute.',
    ['reason'],
  );
  const failures = new Counter({
    name: `${METRIC_PREFIX}_queue_read_failures_total`,
    help: 'Number of times that the queue figures could not be read in time.',
    registers,
  });
  const single = [waiting, queued, running, abandoned, lastBackup, installed];

  const forget = () => {
    for (const one of single) one.remove();
    for (const queue of WAITING_KINDS) {
      depth.remove({ queue });
      age.remove({ queue });
      stalled.remove({ queue });
    }
    unplaceable.reset();
  };
  const show = (state: QueueState) => {
    waiting.set(state.waiting['heartbeat-runs'].depth);
    queued.set(state.queued);
    running.set(state.running);
    abandoned.set(state.abandoned);
    lastBackup.set(state.lastBackup);
    installed.set(state.installed);
    for (const queue of WAITING_KINDS) {
      depth.set({ queue }, state.waiting[queue].depth);
      age.set({ queue }, state.waiting[queue].oldestAgeSeconds);
      stalled.set({ queue }, state.waiting[queue].stalledSeconds);
    }
    unplaceable.set({ reason: 'no_runner' }, state.unplaceable.no_runner);
    unplaceable.set({ reason: 'labels' }, state.unplaceable.labels);
  };

  const onFailure = () => failures.inc();
  return createRefreshedGauges({ read, show, forget, onFailure }, times);
}
