import { z } from 'zod';
import { cents, id, pageQuery, text, timestamp, tokenCount } from './primitives';

/** A sum has no bound but that of exact integers. */
const sum = z.int().min(0);

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

/** `unpricedEvents` had no price and are not in the cents, which then are too low. */
export const costSummary = z.object({
  companyId: id,
  /** `YYYY-MM`, the present UTC month by the database clock. */
  month: z.string(),
  spendCents: sum,
  /** 0 is no limit, and then nothing is utilized. */
  budgetCents: cents,
  utilizationPercent: z.number(),
  alert: z.enum(['none', 'soft', 'hard']),
  unpricedEvents: sum,
});

export const listCostsQuery = z.strictObject(pageQuery());

export const agentCost = z.object({
  agentId: id,
  agentName: z.string(),
  costCents: sum,
  inputTokens: sum,
  outputTokens: sum,
  budgetMonthlyCents: cents,
  utilizationPercent: z.number(),
  unpricedEvents: sum,
});

/** `projectId` null gathers what belongs to no project. */
export const projectCost = z.object({
  projectId: id.nullable(),
  projectName: z.string().nullable(),
  costCents: sum,
  inputTokens: sum,
  outputTokens: sum,
});

export type CostEventView = z.infer<typeof costEvent>;
export type CreateCostEventBody = z.infer<typeof createCostEventBody>;
export type CostSummaryView = z.infer<typeof costSummary>;
export type AgentCostView = z.infer<typeof agentCost>;
export type ProjectCostView = z.infer<typeof projectCost>;
