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
  occurredAt: timestamp,
  createdAt: timestamp,
});

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
  occurredAt: timestamp.optional(),
  idempotencyKey: text(200).optional(),
});

export type CostEventView = z.infer<typeof costEvent>;
export type CreateCostEventBody = z.infer<typeof createCostEventBody>;
