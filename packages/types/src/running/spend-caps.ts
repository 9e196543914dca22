import { z } from 'zod';
import { cents, id, pageQuery, timestamp } from '../primitives';

export const SPEND_CAP_SCOPES = ['run', 'issue', 'routine', 'project', 'agent', 'company'] as const;
export const SPEND_CAP_PERIODS = ['day', 'week', 'month', 'total'] as const;

const scope = z
  .enum(SPEND_CAP_SCOPES)
  .describe('`run`: the run and its retries; `routine`: its runs and the work on its issues');
const period = z
  .enum(SPEND_CAP_PERIODS)
  .describe('In UTC; weeks begin on Monday; `total`: without an end');
const capCents = cents.min(1);

export const spendCap = z.object({
  id,
  companyId: id,
  scope,
  scopeId: id,
  period,
  cents: capCents,
  spentCents: cents.describe('Spend in the current period'),
  reservedCents: cents.describe('Reserved for model calls that are not settled yet'),
  utilizationPercent: z.number().describe('Spend in percent of the cap, without reservations'),
  alert: z
    .enum(['none', 'soft', 'hard'])
    .describe('`soft`: at least 80 % of the cap is spent; `hard`: all of it'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const createSpendCapBody = z.strictObject({
  scope,
  scopeId: id.describe('Id of the run, issue, routine, project, agent or company'),
  period,
  cents: capCents,
});

export const updateSpendCapBody = z.strictObject({ cents: capCents });

export const listSpendCapsQuery = z.strictObject({
  scope: z.enum(SPEND_CAP_SCOPES).optional(),
  scopeId: id.optional(),
  ...pageQuery(),
});

export type SpendCapScope = (typeof SPEND_CAP_SCOPES)[number];
export type SpendCapPeriod = (typeof SPEND_CAP_PERIODS)[number];
export type SpendCapView = z.infer<typeof spendCap>;
export type CreateSpendCapBody = z.infer<typeof createSpendCapBody>;
export type UpdateSpendCapBody = z.infer<typeof updateSpendCapBody>;
export type ListSpendCapsQuery = z.infer<typeof listSpendCapsQuery>;
