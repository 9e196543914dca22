import { z } from 'zod';
import { moment, storableText } from '../http/fields';
import { KINDS } from '../kinds/kinds';

const COLLECTION_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

export const collectRequest = z.object({
  source: storableText(256)
    .default('n8n_schedule')
    .describe('Name of the caller. Without it, the default is recorded.'),
  trigger_time: moment.nullish(),
  collection_id: z
    .string()
    .regex(COLLECTION_ID)
    .refine((id) => id !== 'failed', { error: 'failed is reserved for error responses' })
    .nullish(),
});

export type CollectRequest = z.output<typeof collectRequest>;

const failure = z.object({
  code: z.string(),
  target: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  attempts: z.number(),
});

const component = z.object({
  status: z.enum(['ok', 'partial', 'failed', 'skipped']),
  data_points: z.number(),
  duration_ms: z.number(),
  failures: z.array(failure),
  ignored: z
    .array(z.string())
    .optional()
    .describe('Assets that count as zero: METRICS_IGNORED_ASSETS and dust.'),
});

const common = {
  collection_id: z.string(),
  timestamp: z.string(),
  data_points_collected: z.number(),
  dashboard_updated: z.boolean(),
  trigger_source: z.string(),
};

const degraded = {
  degraded: z
    .boolean()
    .describe('True if a component failed or is incomplete; the status is success anyway.'),
  failed_components: z.array(z.string()).describe('Components without data because of failures.'),
};
const components = z.object(Object.fromEntries(KINDS.map((kind) => [kind.component, component])));

/**
 * The response has no field `error` on success, because workflow tools treat the field as a failure
 * and retry.
 */
export const collectResponse = z.object({
  status: z.literal('success'),
  ...common,
  storage_status: z.literal('committed'),
  ...degraded,
  components,
  accounts: z
    .record(z.string(), z.object({ ...degraded, simulated: z.boolean(), components }))
    .optional()
    .describe('By account name; only with several accounts.'),
  simulated: z.boolean(),
  duration_ms: z.number(),
});

export const collectFailure = z.object({
  status: z.literal('error'),
  ...common,
  storage_status: z.literal('failed'),
  error: z.string(),
});

export type ComponentResult = z.output<typeof component>;

export type Components = Record<string, ComponentResult>;

export function degradation(components: Components) {
  const named = (...statuses: string[]) =>
    KINDS.map(({ component }) => component).filter((name) =>
      statuses.includes(components[name]?.status ?? ''),
    );
  return {
    degraded: named('partial', 'failed').length > 0,
    failed_components: named('failed'),
  };
}

const OF_STORED = KINDS.filter(({ readsCandles }) => readsCandles).map(
  ({ component }) => component,
);

export const broughtData = (components: Components): boolean =>
  Object.entries(components).some(
    ([component, { data_points }]) => data_points > 0 && !OF_STORED.includes(component),
  );
