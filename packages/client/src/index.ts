export { createClient, createMetricsClient } from './create-client';
export type {
  components as MetricsComponents,
  paths as MetricsPaths,
} from './generated/metrics';
export type { components, operations, paths } from './generated/orchestration';
export { type ErrorAnswer, RefusedError, unwrap } from './unwrap';

import type { components } from './generated/orchestration';

/** The shapes of the contract by name: `Schemas['Issue']`. */
export type Schemas = components['schemas'];
