import { z } from 'zod';
import { cents, id, text, timestamp, tokenCount } from './primitives';

export const costEvent = z.object({
  id,
  companyId: id,
  agentId: id,
  issueId: id.nullable(),
  projectId: id.nullable(),
  goalId: id.nullable(),
  runId: id.nullable(),
  provider: z.string(),
  model: z.string(),
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  costCents: cents,
  /** True when no price was told: then `costCents` is 0 and says nothing. */
  unpriced: z.boolean(),
  occurredAt: timestamp,
  createdAt: timestamp,
});

/** A time of the years 1970 to 9999 in UTC; beyond, the database has no room or no meaning for it. */
const eventTime = timestamp.refine((value) => {
  const year = new Date(value).getUTCFullYear();
  return year >= 1970 && year <= 9999;
}, 'must be a time of the years 1970 to 9999');

export const createCostEventBody = z.strictObject({
  agentId: id,
  provider: text(100),
  model: text(200),
  inputTokens: tokenCount,
  outputTokens: tokenCount,
  costCents: cents,
  issueId: id.optional(),
  projectId: id.optional(),
  runId: id.optional(),
  /** When it was spent; the month it counts for is the one it is recorded in. */
  occurredAt: eventTime.optional(),
  idempotencyKey: text(200).optional(),
});

export type CostEventView = z.infer<typeof costEvent>;
export type CreateCostEventBody = z.infer<typeof createCostEventBody>;
