import { Counter, Gauge, type Registry } from 'prom-client';
import { METRIC_PREFIX } from './metrics';
import { type QueueState, WAITING_KINDS } from './queue-state';
import { createRefreshedGauges, type RefreshedGauges, type RefreshTimes } from './refreshed-gauges';

/** The same on every replica: use `max()`, never sum. */
export function createQueueGauges(
  registry: Registry,
  read: () => Promise<QueueState>,
  times: RefreshTimes = {},
): RefreshedGauges {
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `${METRIC_PREFIX}_${name}`, help, labelNames, registers });
  const waiting = gauge('heartbeat_runs_waiting', 'Runs that wait for nothing but a worker.');
  const queued = gauge(
    'heartbeat_runs_queued',
    'Runs that have not begun, whatever they wait for.',
  );
  const running = gauge('heartbeat_runs_running', 'Runs that have begun and not ended.');
  const abandoned = gauge('heartbeat_runs_abandoned', 'Running runs whose lease is not renewed.');
  const lastBackup = gauge(
    'last_backup_timestamp_seconds',
    'When the last backup was completed; 0 when none was recorded.',
  );
  const installed = gauge(
    'installed_timestamp_seconds',
    'When the first migration of the database ran.',
  );
  const depth = gauge('queue_depth', 'Rows that wait for a worker.', ['queue']);
  const age = gauge(
    'queue_oldest_age_seconds',
    'How long the oldest row waits; 0 when none does.',
    ['queue'],
  );
  const stalled = gauge(
    'queue_stalled_seconds',
    'Seconds for which the oldest row has waited although it could be taken; 0 when there is none.',
    ['queue'],
  );
  const unplaceable = gauge(
    'heartbeat_runs_unplaceable',
    'Runs that wait and that no runner could execute.',
    ['reason'],
  );
  const failures = new Counter({
    name: `${METRIC_PREFIX}_queue_read_failures_total`,
    help: 'Times that the numbers of the queue could not be read in time.',
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
