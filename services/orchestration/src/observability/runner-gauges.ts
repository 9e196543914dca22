import { SANDBOX_DRIVERS } from '@switchyard/types';
import { Gauge, type Registry } from 'prom-client';
import { partOf } from '../kernel/context';
import { METRIC_PREFIX } from '../kernel/metrics';
import { createRefreshedGauges, type RefreshedGauges } from './refreshed-gauges';
import { OF_COMPANIES, type RunnerState, readRunnerState } from './runner-state';

export const runnerGauges = partOf(({ metrics, probePool }) =>
  createRunnerGauges(metrics.registry, () => readRunnerState(probePool)),
);

function createRunnerGauges(registry: Registry, read: () => Promise<RunnerState>): RefreshedGauges {
  const registers = [registry];
  const runners = new Gauge({
    name: `${METRIC_PREFIX}_runners`,
    help: 'Number of runners seen in the last two minutes, by sandbox driver.',
    labelNames: ['driver'],
    registers,
  });
  const runs = new Gauge({
    name: `${METRIC_PREFIX}_runner_runs`,
    help: 'Number of runs that a runner holds; runners of companies are counted together.',
    labelNames: ['runner'],
    registers,
  });
  const forget = () => {
    runners.reset();
    runs.reset();
  };
  const show = (state: RunnerState) => {
    forget();
    for (const driver of SANDBOX_DRIVERS) runners.set({ driver }, state.drivers[driver] ?? 0);
    runs.set({ runner: OF_COMPANIES }, 0);
    for (const [runner, held] of Object.entries(state.runs)) runs.set({ runner }, held);
  };
  return createRefreshedGauges({ read, show, forget, onFailure: () => undefined });
}
