import { createRegistry, observeRequests } from '@switchyard/server';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { ComponentName } from '../collection/collect-request';
import type { Gathered } from '../collection/gather';
import type { Context } from '../context';

/** What starts with a name here is explained in the repository's docs/metrics.md, and nothing else is. */
export const METRIC_PREFIX = 'marketmetrics';

export type Metrics = ReturnType<typeof createMetrics>;

const KINDS: [string, ComponentName][] = [
  ['balance', 'account_balance'],
  ['market', 'market_data'],
  ['grid', 'grid_status'],
  ['regime', 'regime_analysis'],
];

/** One registry an application. No label carries an id that grows without bound. */
export function createMetrics() {
  const registry = createRegistry();
  const registers = [registry];
  const collections = new Counter({
    name: 'marketmetrics_collections_total',
    help: 'Answered collection requests.',
    labelNames: ['status'] as const,
    registers,
  });
  for (const status of ['success', 'error', 'replayed']) collections.inc({ status }, 0);
  const collectionDuration = new Histogram({
    name: 'marketmetrics_collection_duration_seconds',
    help: 'Time from request to answer of a collection.',
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const componentFailures = new Counter({
    name: 'marketmetrics_component_failures_total',
    help: 'Failures of the exchange that a collection reported.',
    labelNames: ['component', 'code'] as const,
    registers,
  });
  const dataPoints = new Counter({
    name: 'marketmetrics_data_points_total',
    help: 'Stored snapshot rows.',
    labelNames: ['kind'] as const,
    registers,
  });
  const lastSuccess = new Gauge({
    name: 'marketmetrics_last_success_timestamp_seconds',
    help: 'When a kind was last collected without a failure.',
    labelNames: ['kind'] as const,
    registers,
  });
  const exchangeDuration = new Histogram({
    name: 'marketmetrics_exchange_request_duration_seconds',
    help: 'Time of one call to the exchange.',
    labelNames: ['exchange', 'method', 'outcome'] as const,
    buckets: [0.05, 0.25, 1, 2.5, 8],
    registers,
  });
  const collected = (context: Context, gathered: Gathered, points: number) => {
    const seconds = context.clock.now().getTime() / 1000;
    if (points > 0) lastSuccess.set({ kind: 'collection' }, seconds);
    for (const [kind, component] of KINDS) {
      const result = gathered.components[component];
      dataPoints.inc({ kind }, result.data_points);
      if (result.status === 'ok') lastSuccess.set({ kind }, seconds);
      for (const { code } of result.failures) componentFailures.inc({ component, code });
    }
  };

  return {
    registry,
    collections,
    collectionDuration,
    componentFailures,
    dataPoints,
    lastSuccess,
    exchangeDuration,
    observeRequests: observeRequests(registry, METRIC_PREFIX),
    collected,
  };
}
