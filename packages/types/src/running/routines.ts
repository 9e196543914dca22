import { z } from 'zod';
import {
  id,
  isStorableText,
  jsonObjectUpTo,
  longText,
  name,
  pageQuery,
  timestamp,
  title,
} from '../primitives';
import { ISSUE_PRIORITIES } from '../work/issues';
import { callbackFields, callbackState } from './callbacks';

export const ROUTINE_STATUSES = ['active', 'paused', 'archived'] as const;
export const CONCURRENCY_POLICIES = [
  'coalesce_if_active',
  'skip_if_active',
  'always_enqueue',
] as const;
export const CATCH_UP_POLICIES = ['skip_missed', 'enqueue_missed_with_cap'] as const;
/** Two generic modes (`bearer`, `hmac_sha256`), and the modes of well-known webhook senders. */
export const SIGNING_MODES = ['bearer', 'hmac_sha256', 'github', 'stripe', 'slack'] as const;
export const ROUTINE_RUN_SOURCES = ['schedule', 'webhook', 'api', 'manual'] as const;
export const ROUTINE_RUN_STATUSES = [
  'pending',
  'issue_created',
  'completed',
  'failed',
  'cancelled',
  'coalesced',
  'skipped',
] as const;

export type ConcurrencyPolicy = (typeof CONCURRENCY_POLICIES)[number];
export type CatchUpPolicy = (typeof CATCH_UP_POLICIES)[number];
export type SigningMode = (typeof SIGNING_MODES)[number];
export type RoutineRunSource = (typeof ROUTINE_RUN_SOURCES)[number];
export type RoutineRunStatus = (typeof ROUTINE_RUN_STATUSES)[number];

export const routineSummary = z.object({
  id,
  companyId: id,
  title: z.string(),
  assigneeAgentId: id,
  projectId: id,
  goalId: id.nullable(),
  parentIssueId: id.nullable(),
  priority: z.enum(ISSUE_PRIORITIES),
  status: z.enum(ROUTINE_STATUSES),
  concurrencyPolicy: z.enum(CONCURRENCY_POLICIES),
  catchUpPolicy: z.enum(CATCH_UP_POLICIES),
  createdByAgentId: id.nullable(),
  createdByUserId: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const triggerFields = {
  id,
  companyId: id,
  routineId: id,
  label: z.string().nullable(),
  enabled: z.boolean(),
  nextRunAt: timestamp.nullable(),
  lastFiredAt: timestamp.nullable(),
  failureCount: z.int(),
  failureReason: z.string().nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
};

const scheduleTrigger = z.object({
  ...triggerFields,
  kind: z.literal('schedule'),
  cronExpression: z.string(),
  timezone: z.string(),
});
const webhookTrigger = z.object({
  ...triggerFields,
  kind: z.literal('webhook'),
  publicId: z.string(),
  signingMode: z.enum(SIGNING_MODES),
  replayWindowSec: z.int(),
});
const apiTrigger = z.object({ ...triggerFields, kind: z.literal('api') });

export const routineTrigger = z.discriminatedUnion('kind', [
  scheduleTrigger,
  webhookTrigger,
  apiTrigger,
]);

const shownOnce = { secret: z.string(), fireUrl: z.string() };

export const createdTrigger = z.discriminatedUnion('kind', [
  scheduleTrigger,
  webhookTrigger.extend(shownOnce),
  apiTrigger,
]);
export const rotatedTrigger = webhookTrigger.extend(shownOnce);

export const routine = routineSummary.extend({
  description: z.string().nullable(),
  triggers: z.array(routineTrigger),
});

const PAYLOAD =
  'The JSON object of the firing; other content of a webhook is `{ contentType, encoding, body }`. Lists and the response to a firing replace a payload of more than 8 KiB by `{ omitted, byteSize }`; the run contains all of it.';

const DELIVERY =
  'Event, delivery id and retry number (from 1) of a webhook from GitHub, Slack or Stripe. The wake contains it as `_delivery`.';

const ACTIVE =
  'The active routine run because of which a firing was coalesced or skipped; follow that run instead. Null for other outcomes.';

export const routineRun = z.object({
  id,
  routineId: id,
  triggerId: id.nullable(),
  source: z.enum(ROUTINE_RUN_SOURCES),
  status: z.enum(ROUTINE_RUN_STATUSES),
  scheduledFor: timestamp.nullable(),
  triggeredAt: timestamp,
  payload: z.record(z.string(), z.unknown()).nullable().describe(PAYLOAD),
  delivery: z
    .object({
      event: z.string().nullable(),
      id: z.string().nullable(),
      retry: z.int().nullable(),
    })
    .nullable()
    .describe(DELIVERY),
  idempotencyKey: z.string().nullable(),
  linkedIssueId: id.nullable(),
  activeRoutineRunId: id.nullable().describe(ACTIVE),
  heartbeatRunId: id.nullable(),
  failureReason: z.string().nullable(),
  completedAt: timestamp.nullable(),
  createdAt: timestamp,
});

export const routineRunDetail = routineRun.extend({ callback: callbackState });

export const webhookGreeting = z.union([
  z.object({ challenge: z.string() }),
  z.object({ message: z.literal('pong') }),
]);

export const firingTime = z.object({
  at: timestamp,
  local: z.iso.datetime({ offset: true }),
});
export const firingPreview = z.object({ timezone: z.string(), times: z.array(firingTime) });

export const schedulePreview = firingPreview.extend({
  scheduleInWords: z.string().describe('The schedule in English, with its time zone'),
});

const writable = {
  title,
  description: longText.nullable(),
  assigneeAgentId: id,
  projectId: id,
  goalId: id.nullable(),
  parentIssueId: id.nullable(),
  priority: z.enum(ISSUE_PRIORITIES),
  status: z.enum(ROUTINE_STATUSES),
  concurrencyPolicy: z.enum(CONCURRENCY_POLICIES),
  catchUpPolicy: z.enum(CATCH_UP_POLICIES),
};

export const createRoutineBody = z
  .strictObject(writable)
  .partial()
  .required({ title: true, assigneeAgentId: true, projectId: true });
export const updateRoutineBody = z.strictObject(writable).partial();
export const listRoutinesQuery = z.strictObject(pageQuery());

const common = { label: name.nullable().optional(), enabled: z.boolean().optional() };
const cronExpression = z.string().min(1).max(200).refine(isStorableText, 'must be plain text');
const timezone = z.string().min(1).max(64).refine(isStorableText, 'must be plain text');
const signingMode = z
  .enum(SIGNING_MODES)
  .describe(
    '`bearer` (default) sends the secret itself and does not detect repeated requests; prefer `hmac_sha256` if the sender can sign',
  );
const replayWindowSec = z.int().min(30).max(86_400);
/**
 * Set for senders that generate the secret themselves, such as Stripe and Slack; otherwise the
 * service generates one.
 */
const secret = z
  .string()
  .min(16)
  .max(256)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

export const createTriggerBody = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('schedule'),
    cronExpression,
    timezone: timezone.optional(),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('webhook'),
    signingMode: signingMode.optional(),
    replayWindowSec: replayWindowSec.optional(),
    secret: secret.optional(),
  }),
  z.strictObject({ ...common, kind: z.literal('api') }),
]);

export const updateTriggerBody = z
  .strictObject({
    label: name.nullable(),
    enabled: z.boolean(),
    cronExpression,
    timezone,
    signingMode,
    replayWindowSec,
    secret,
  })
  .partial();

const idempotencyKey = z.string().min(1).max(200).refine(isStorableText, 'must be plain text');

const firingPayload = jsonObjectUpTo(1_048_576);

export const runRoutineBody = z
  .strictObject({
    source: z.enum(['manual', 'api']),
    triggerId: id.nullable(),
    payload: firingPayload.nullable(),
    idempotencyKey: idempotencyKey.nullable(),
    ...callbackFields,
  })
  .partial();

export const listRoutineRunsQuery = z.strictObject(pageQuery(50));

export const previewQuery = z.strictObject({
  count: z
    .string()
    .regex(/^\d{1,3}$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .pipe(z.int().min(1).max(100))
    .default(10),
});

export const schedulePreviewQuery = previewQuery.extend({
  cronExpression: z.string().max(200).refine(isStorableText, 'must be plain text').default(''),
  timezone: timezone.default('UTC'),
});

export type SchedulePreviewQuery = z.infer<typeof schedulePreviewQuery>;
export type SchedulePreview = z.infer<typeof schedulePreview>;
export type RoutineSummaryView = z.infer<typeof routineSummary>;
export type RoutineView = z.infer<typeof routine>;
export type RoutineTriggerView = z.infer<typeof routineTrigger>;
export type CreatedTriggerView = z.infer<typeof createdTrigger>;
export type RotatedTriggerView = z.infer<typeof rotatedTrigger>;
export type RoutineRunDetailView = z.infer<typeof routineRunDetail>;
export type RoutineRunView = z.infer<typeof routineRun>;
export type FiringPreview = z.infer<typeof firingPreview>;
export type CreateRoutineBody = z.infer<typeof createRoutineBody>;
export type UpdateRoutineBody = z.infer<typeof updateRoutineBody>;
export type CreateTriggerBody = z.infer<typeof createTriggerBody>;
export type UpdateTriggerBody = z.infer<typeof updateTriggerBody>;
export type RunRoutineBody = z.infer<typeof runRoutineBody>;
