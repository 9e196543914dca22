import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

export interface Metrics {
  registry: Registry;
  runsFinished: Counter<'status'>;
  runsTakenOver: Counter;
  staleWrites: Counter;
}

/** One registry a process, so that two contexts in one test do not share counters. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    runsFinished: new Counter({
      name: 'switchyard_heartbeat_runs_finished_total',
      help: 'Heartbeat runs that reached a terminal state in this process.',
      labelNames: ['status'],
      registers,
    }),
    runsTakenOver: new Counter({
      name: 'switchyard_heartbeat_runs_taken_over_total',
      help: 'Runs of a lost worker that this process took over.',
      registers,
    }),
    staleWrites: new Counter({
      name: 'switchyard_stale_writes_total',
      help: 'Writes of an outdated claim that the database refused.',
      registers,
    }),
  };
}
