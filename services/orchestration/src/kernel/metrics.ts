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
 * Labels are fixed words, never names or ids of customers. Each counter starts at 0; otherwise
 * Prometheus would not count the event with which the counter first appears.
 */
export function createMetrics() {
  const registry = createRegistry();
  observeBuild(registry, METRIC_PREFIX, SCHEMA_VERSION.orchestration);
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `${METRIC_PREFIX}_${name}`, help, labelNames, registers });

  const runsStarted = counter(
    'heartbeat_runs_started_total',
    'Number of runs started by this process.',
    ['source'],
  );
  const runsFinished = counter(
    'heartbeat_runs_finished_total',
    'Number of runs ended by this process.',
    ['status'],
  );
  const leaseExpiries = counter(
    'lease_expiries_total',
    'Number of expired leases of lost workers that this process found, by outcome of the run.',
    ['outcome'],
  );
  const wakes = counter('wakes_total', 'Number of decisions to wake or not to wake an agent.', [
    'source',
    'outcome',
  ]);
  const budgetEvents = counter(
    'budget_events_total',
    'Number of times that a budget reached its alert threshold or its limit.',
    ['scope', 'kind'],
  );
  const hintsLost = counter(
    'hints_lost_total',
    'Number of jobs that Redis did not accept in time.',
    ['queue'],
  );
  const sweepFailures = counter(
    'sweep_failures_total',
    'Number of sweeps that failed or did not end within 60 seconds.',
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
      'Number of writes with an outdated claim that the database refused.',
    ),
    runWait: new Histogram({
      name: `${METRIC_PREFIX}_heartbeat_run_wait_seconds`,
      help: 'Time from when a run could start until it started.',
      buckets: LONG_BUCKETS,
      registers,
    }),
    runDuration: new Histogram({
      name: `${METRIC_PREFIX}_heartbeat_run_duration_seconds`,
      help: 'Duration of one attempt of a run.',
      labelNames: ['status'],
      buckets: LONG_BUCKETS,
      registers,
    }),
    fireLag: new Histogram({
      name: `${METRIC_PREFIX}_routine_fire_lag_seconds`,
      help: 'Time from when a schedule was due until it fired.',
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600],
      registers,
    }),
    workerSlots: new Gauge({
      name: `${METRIC_PREFIX}_worker_slots`,
      help: 'Maximum number of runs that this process can hold at the same time.',
      registers,
    }),
    workerSlotsBusy: new Gauge({
      name: `${METRIC_PREFIX}_worker_slots_busy`,
      help: 'Number of runs that this process holds.',
      registers,
    }),
    invariantViolations: new Gauge({
      name: `${METRIC_PREFIX}_invariant_violations`,
      help: 'Number of rows that violated an invariant of the database at the last hourly check.',
      labelNames: ['invariant'],
      registers,
    }),
    countWake: (source: RunSource, outcome: (typeof WAKE_OUTCOMES)[number]) =>
      wakes.inc({ source, outcome }),
    eventStreams: new Gauge({
      name: `${METRIC_PREFIX}_event_streams`,
      help: 'Number of open event streams.',
      registers,
    }),
  };
}
