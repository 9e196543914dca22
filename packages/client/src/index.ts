export { createClient, createMetricsClient } from './create-client';
export type {
  components as MetricsComponents,
  paths as MetricsPaths,
} from './schema/metrics';
export type { components, operations, paths } from './schema/orchestration';
export { type ErrorAnswer, RefusedError, unwrap } from './unwrap';

import type { components } from './schema/orchestration';

/** The shapes of the contract by name: `Schemas['Issue']`. */
export type Schemas = components['schemas'];
