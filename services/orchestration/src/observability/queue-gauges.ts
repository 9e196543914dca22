import { withTimeout } from '@switchyard/async';
import { Counter, Gauge, type Registry } from 'prom-client';
import { METRIC_PREFIX } from './metrics';
import { type QueueState, WAITING_KINDS } from './queue-state';

/** Several scrapers, and several replicas, must not become a load of their own. */
const MAX_AGE_MS = 2_000;
/** A page without these numbers is better than none: a slow database is when the others are wanted. */
const DEADLINE_MS = 1_000;

export interface QueueGauges {
  /** Brings the gauges up to date. Never throws; what could not be read in time is absent, never old. */
  refresh(): Promise<void>;
}

/** Numbers of the whole system, the same on every replica: to be read with `max()`, never summed. */
export function createQueueGauges(
  registry: Registry,
  read: () => Promise<QueueState>,
  { maxAgeMs = MAX_AGE_MS, deadlineMs = DEADLINE_MS } = {},
): QueueGauges {
  const registers = [registry];
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `${METRIC_PREFIX}_${name}`, help, labelNames, registers });
  const waiting = gauge('heartbeat_runs_waiting', 'Runs that wait for nothing but a worker.');
  const queued = gauge(
    'heartbeat_runs_queued',
    'Runs that have not begun, whatever they wait for.',
  );
  const running = gauge('heartbeat_runs_running', 'Runs that have begun and not ended.');
  const abandoned = gauge('heartbeat_runs_abandoned', 'Running runs whose lease nobody renews.');
  const depth = gauge('queue_depth', 'Rows that wait for a worker.', ['queue']);
  const age = gauge(
    'queue_oldest_age_seconds',
    'How long the oldest row waits; 0 when none does.',
    ['queue'],
  );
  const failures = new Counter({
    name: `${METRIC_PREFIX}_queue_read_failures_total`,
    help: 'Times that the numbers of the queue could not be read in time.',
    registers,
  });
  const single = [waiting, queued, running, abandoned];

  const forget = () => {
    for (const one of single) one.remove();
    for (const queue of WAITING_KINDS) {
      depth.remove({ queue });
      age.remove({ queue });
    }
  };
  const show = (state: QueueState) => {
    waiting.set(state.waiting['heartbeat-runs'].depth);
    queued.set(state.queued);
    running.set(state.running);
    abandoned.set(state.abandoned);
    for (const queue of WAITING_KINDS) {
      depth.set({ queue }, state.waiting[queue].depth);
      age.set({ queue }, state.waiting[queue].oldestAgeSeconds);
    }
  };

  let reading: Promise<QueueState> | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  forget();
  return {
    refresh: async () => {
      if (performance.now() - shownAt < maxAgeMs) return;
      // A read that is late goes on and the next page takes its answer: none is started beside it.
      reading ??= read().finally(() => {
        reading = null;
      });
      try {
        show(await withTimeout(reading, deadlineMs));
        shownAt = performance.now();
      } catch {
        failures.inc();
        forget();
      }
    },
  };
}
