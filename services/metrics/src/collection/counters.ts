import { Counter, Histogram, type Registry } from 'prom-client';
import { METRIC_PREFIX } from '../create-gauge';
import { KINDS } from '../kinds/kinds';
import type { Components } from './collect-contract';

export type Counters = ReturnType<typeof createCounters>;

export function createCounters(registry: Registry) {
  const registers = [registry];
  const collections = new Counter({
    name: `${METRIC_PREFIX}_collections_total`,
    help: 'Answered collection requests.',
    labelNames: ['status'] as const,
    registers,
  });
  for (const status of ['success', 'error', 'replayed']) collections.inc({ status }, 0);
  const duration = new Histogram({
    name: `${METRIC_PREFIX}_collection_duration_seconds`,
    help: 'Time from a collection request to its response.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const componentFailures = new Counter({
    name: `${METRIC_PREFIX}_component_failures_total`,
    help: 'Failures of the exchange that collections reported.',
    labelNames: ['component', 'code'] as const,
    registers,
  });
  const dataPoints = new Counter({
    name: `${METRIC_PREFIX}_data_points_total`,
    help: 'Stored snapshot rows.',
    labelNames: ['kind'] as const,
    registers,
  });

  return {
    collections,
    duration,
    stored: (components: Components) => {
      for (const { component, name } of KINDS) {
        const result = components[component];
        if (!result) continue;
        dataPoints.inc({ kind: name }, result.data_points);
        for (const { code } of result.failures) componentFailures.inc({ component, code });
      }
    },
  };
}
