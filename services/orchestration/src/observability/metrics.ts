import { SCHEMA_VERSION } from '@switchyard/db';
import { createRegistry, observeBuild, observeRequests } from '@switchyard/server';
import type { QueueName, RunSource, RunStatus } from '@switchyard/types';
import { JOBS, RUN_SOURCES } from '@switchyard/types';
import { Counter, Gauge, Histogram } from 'prom-client';

export const METRIC_PREFIX = 'switchyard';

const ENDS = ['succeeded', 'failed', 'timed_out', 'cancelled'] as const satisfies RunStatus[];
const WAKE_OUTCOMES = ['woken', 'coalesced', 'skipped', 'suppressed'] as const;
const QUEUES = Object.keys(JOBS) as QueueName[];
const BUDGET_EVENTS = ['soft_alert', 'hard_stop'] as const;

const LONG_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Labels are words of the code, never names or ids of customers. Each counter starts at 0, because
 * Prometheus sees no increase in one that appears with its first event.
 */
export function createMetrics() {
  const registry = createRegistry();
  observeBuild(registry, METRIC_PREFIX, SCHEMA_VERSION.orchestration);
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `${METRIC_PREFIX}_${name}`, help, labelNames, registers });

  const runsStarted = counter('heartbeat_runs_started_total', 'Runs begun by this process.', [
    'source',
  ]);
  const runsFinished = counter('heartbeat_runs_finished_total', 'Runs ended by this process.', [
    'status',
  ]);
  const leaseExpiries = counter(
    'lease_expiries_total',
    'Leases of lost workers that this process found, and what became of their runs.',
    ['outcome'],
  );
  const wakes = counter('wakes_total', 'Decisions about waking an agent.', ['source', 'outcome']);
  const budgetEvents = counter('budget_events_total', 'Budgets that were nearly or wholly spent.', [
    'scope',
    'kind',
  ]);
  const hintsLost = counter('hints_lost_total', 'Jobs that Redis did not take in time.', ['queue']);
  const sweepFailures = counter(
    'sweep_failures_total',
    'Sweeps that ended with an error, or have not ended within 60 seconds.',
  );

  for (const source of RUN_SOURCES) {
    runsStarted.inc({ source }, 0);
    for (const outcome of WAKE_OUTCOMES) wakes.inc({ source, outcome }, 0);
  }
  for (const status of ENDS) runsFinished.inc({ status }, 0);
  for (const outcome of ['taken_over', 'ended']) leaseExpiries.inc({ outcome }, 0);
  for (const scope of ['agent', 'company']) {
    for (const kind of BUDGET_EVENTS) budgetEvents.inc({ scope, kind }, 0);
  }
  for (const queue of QUEUES) hintsLost.inc({ queue }, 0);

  return {
    registry,
    observeRequests: observeRequests(registry, METRIC_PREFIX),
    runsStarted,
    runsFinished,
    leaseExpiries,
    budgetEvents,
    hintsLost,
    sweepFailures,
    staleWrites: counter(
      'stale_writes_total',
      'Writes of an outdated claim that the database refused.',
    ),
    runWait: new Histogram({
      name: `${METRIC_PREFIX}_heartbeat_run_wait_seconds`,
      help: 'Time from when a run might start until it did.',
      buckets: LONG_BUCKETS,
      registers,
    }),
    runDuration: new Histogram({
      name: `${METRIC_PREFIX}_heartbeat_run_duration_seconds`,
      help: 'Time that one attempt of a run took.',
      labelNames: ['status'],
      buckets: LONG_BUCKETS,
      registers,
    }),
    fireLag: new Histogram({
      name: `${METRIC_PREFIX}_routine_fire_lag_seconds`,
      help: 'Time from when a schedule was due until it had fired.',
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600],
      registers,
    }),
    workerSlots: new Gauge({
      name: `${METRIC_PREFIX}_worker_slots`,
      help: 'Runs that this process may have in hand at once.',
      registers,
    }),
    workerSlotsBusy: new Gauge({
      name: `${METRIC_PREFIX}_worker_slots_busy`,
      help: 'Runs that this process has in hand.',
      registers,
    }),
    countWake: (source: RunSource, outcome: (typeof WAKE_OUTCOMES)[number]) =>
      wakes.inc({ source, outcome }),
    watchStreams: (count: () => number) => {
      new Gauge({
        name: `${METRIC_PREFIX}_event_streams`,
        help: 'Open event streams.',
        registers,
        collect() {
          this.set(count());
        },
      });
    },
  };
}
