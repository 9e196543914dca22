import { z } from 'zod';
import { id, optionalText, pageQuery, queryTime, timestamp } from '../primitives';
import { callbackSecret, webAddress } from './callbacks';

export const WEBHOOK_EVENTS = [
  'issue.updated',
  'comment.created',
  'run.started',
  'run.ended',
  'question.asked',
  'question.decided',
  'approval.requested',
  'approval.decided',
  'budget.near',
  'budget.spent',
  'agent.stopped',
] as const;

export const WEBHOOK_SHAPES = ['standard', 'slack', 'discord', 'telegram'] as const;

const events = z
  .array(z.enum(WEBHOOK_EVENTS))
  .max(WEBHOOK_EVENTS.length)
  .describe(
    'Event types that the endpoint receives; an empty list means all. `run.started` is sent once per run, `run.ended` at its end',
  );
const shape = z
  .enum(WEBHOOK_SHAPES)
  .describe(
    '`standard`: `{ type, timestamp, data }`; the others: one sentence, in the format of an incoming webhook of Slack or Discord, or of `sendMessage` of a Telegram bot',
  );
const description = optionalText(200).nullable();
const status = z.enum(['enabled', 'disabled']);

export const endpoint = z.object({
  id,
  companyId: id,
  description: z.string().nullable(),
  host: z
    .string()
    .describe('Host of the address; the rest is omitted, because it may contain a secret'),
  events,
  shape,
  status,
  disabledReason: z
    .enum(['board', 'gone', 'failing', 'restored'])
    .nullable()
    .describe(
      '`gone`: the receiver responded with 410; `failing`: all deliveries failed for three days; `restored`: restored from a backup',
    ),
  failingSince: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const endpointWithSecret = endpoint.extend({ secret: z.string() });

export const createEndpointBody = z.strictObject({
  url: webAddress,
  description: description.optional(),
  events: events.optional(),
  shape: shape.optional(),
  secret: callbackSecret.optional().describe('24 to 64 random bytes in base64; default: generated'),
});

export const updateEndpointBody = z
  .strictObject({ url: webAddress, description, events, shape, status })
  .partial();

export const listEndpointsQuery = z.strictObject(pageQuery());

export const replayEndpointBody = z.strictObject({
  since: queryTime.describe('Resends the events since this time, at most of the last 30 days'),
});
export const replayed = z.object({ count: z.int() });

export const DELIVERY_STATES = ['pending', 'delivered', 'given_up'] as const;

export const delivery = z.object({
  id,
  endpointId: id,
  webhookId: z.string(),
  type: z.string(),
  status: z.enum(DELIVERY_STATES),
  attempts: z.int().describe('Number of failed attempts'),
  nextAttemptAt: timestamp.nullable(),
  attemptedAt: timestamp.nullable(),
  answerStatus: z.int().nullable(),
  error: z.string().nullable(),
  durationMs: z.int().nullable(),
  createdAt: timestamp,
});

export const deliveryDetail = delivery.extend({
  body: z.string(),
  answer: z.string().nullable().describe("Beginning of the receiver's response"),
});

export const listDeliveriesQuery = z.strictObject({
  ...pageQuery(),
  status: z.enum(DELIVERY_STATES).optional(),
});

export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];
export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];
export type EndpointView = z.infer<typeof endpoint>;
export type EndpointWithSecretView = z.infer<typeof endpointWithSecret>;
export type CreateEndpointBody = z.infer<typeof createEndpointBody>;
export type UpdateEndpointBody = z.infer<typeof updateEndpointBody>;
export type ListEndpointsQuery = z.infer<typeof listEndpointsQuery>;
export type ReplayEndpointBody = z.infer<typeof replayEndpointBody>;
export type DeliveryView = z.infer<typeof delivery>;
export type DeliveryDetailView = z.infer<typeof deliveryDetail>;
export type ListDeliveriesQuery = z.infer<typeof listDeliveriesQuery>;
