import { z } from 'zod';
import { cents, id, text, timestamp, tokenCount } from './primitives';

export const COST_SOURCES = ['gateway', 'reservation', 'agent', 'board'] as const;

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
  unpriced: z.boolean(),
  source: z
    .enum(COST_SOURCES)
    .describe(
      "`gateway`: read from a provider's response to the operator's key; `reservation`: the highest cost of a call whose runner did not report its use, until the runner reports it; `agent`: reported by the agent; `board`: entered by a person",
    ),
  disputedCents: cents.describe(
    'Cents that the agent reported beyond its remaining budget, or for a provider that the gateway counts; not included in the spend',
  ),
  occurredAt: timestamp,
  createdAt: timestamp,
});

const eventTime = timestamp.refine((value) => {
  const year = new Date(value).getUTCFullYear();
  return year >= 1970 && year <= 9999;
}, 'must be a time in the years 1970 to 9999');

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
  /**
   * Time of the spend. Budgets ignore this time: they count the spend in the month in which it is
   * recorded.
   */
  occurredAt: eventTime
    .optional()
    .describe(
      'If an agent reports it: between the start of the run and now, with a tolerance of 5 minutes',
    ),
  idempotencyKey: text(200).optional(),
});

export type CostSource = (typeof COST_SOURCES)[number];
export type CostEventView = z.infer<typeof costEvent>;
export type CreateCostEventBody = z.infer<typeof createCostEventBody>;
