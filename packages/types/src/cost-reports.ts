import { z } from 'zod';
import { budgetCents, cents, id, pageQuery, text } from './primitives';

export const MAX_REPORT_DAYS = 366;

const YEARS = '(19[7-9]\\d|2\\d{3})';

const month = z.string().regex(new RegExp(`^${YEARS}-(0[1-9]|1[0-2])$`), {
  error: 'must be a month in the years 1970 to 2999, such as 2026-10',
  abort: true,
});

const day = z.iso
  .date({ error: 'must be a date such as 2026-10-31', abort: true })
  .regex(new RegExp(`^${YEARS}-`), {
    error: 'must be a date in the years 1970 to 2999',
    abort: true,
  });

const FROM = 'The first UTC day';
const TO = 'The UTC day after the last day of the range';

const range = {
  month: month
    .optional()
    .describe('A UTC month, instead of from and to; default: the current month'),
  from: day.optional().describe(FROM),
  to: day
    .optional()
    .describe(`${TO}. Required with from; at most ${MAX_REPORT_DAYS} days after it`),
};

interface Range {
  month?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export const costSummaryQuery = z.strictObject(range).superRefine(assertRange);
export const listCostsQuery = z.strictObject({ ...range, ...pageQuery() }).superRefine(assertRange);

export const listCostEventsQuery = z
  .strictObject({
    agentId: id.optional(),
    issueId: id.optional(),
    runId: id.optional(),
    provider: text(100).optional(),
    model: text(200).optional(),
    from: day.optional().describe(`${FROM}; default the beginning`),
    to: day.optional().describe(`${TO}; default: now`),
    ...pageQuery(),
  })
  .superRefine(assertOrder);

function assertRange(query: Range, context: z.RefinementCtx): void {
  for (const [field, message] of Object.entries(rangeFaults(query))) {
    context.addIssue({ code: 'custom', path: [field], message });
  }
  assertOrder(query, context);
}

function rangeFaults({ month, from, to }: Range): Range {
  if (month !== undefined) {
    const message = 'must not be sent together with `month`';
    return {
      ...(from !== undefined && { from: message }),
      ...(to !== undefined && { to: message }),
    };
  }
  if (from === undefined)
    return to === undefined ? {} : { from: 'must be sent together with `to`' };
  if (to === undefined) return { to: 'must be sent together with `from`' };
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days <= MAX_REPORT_DAYS) return {};
  return { to: `must be at most ${MAX_REPORT_DAYS} days after \`from\`` };
}

function assertOrder({ from, to }: Range, context: z.RefinementCtx): void {
  if (from === undefined || to === undefined || from < to) return;
  context.addIssue({ code: 'custom', path: ['to'], message: 'must be after `from`' });
}

const sum = z.int().min(0);

const date = z.iso.date();

const DISPUTED =
  'Cents in the range that agents reported beyond their own budgets, or for providers that the gateway counts; not included in the spend';

const UNPRICED =
  'Number of events without a price; the cents do not include them, so the actual cost is higher';

const RESERVED = 'Cents reserved for model calls that are not settled yet, for any range';

const budgetState = {
  utilizationPercent: z
    .number()
    .nullable()
    .describe('0 means no limit; null if the range is not the current month'),
  unlimited: z.boolean().describe('True if the budget is 0, which means no limit'),
  burnRateCentsPerDay: z
    .number()
    .describe('Average spend per day over the last 7 days, for any range'),
  endsOn: date
    .nullable()
    .describe(
      'UTC day on which the budget will be spent at this rate; today if it is already spent; null if not in this month',
    ),
};

export const costSummary = z.object({
  companyId: id,
  month: z.string().nullable().describe('YYYY-MM; null if the range is not a whole month'),
  from: date.describe(FROM),
  to: date.describe(TO),
  spendCents: sum,
  budgetCents,
  alert: z
    .enum(['none', 'soft', 'hard'])
    .describe('Alert of the current month; `none` for any other range'),
  unpricedEvents: sum.describe(UNPRICED),
  disputedCents: sum.describe(DISPUTED),
  reservedCents: sum.describe(RESERVED),
  ...budgetState,
});

export const agentCost = z.object({
  agentId: id,
  agentName: z.string(),
  costCents: sum,
  inputTokens: sum,
  outputTokens: sum,
  budgetMonthlyCents: budgetCents,
  unpricedEvents: sum.describe(UNPRICED),
  disputedCents: sum.describe(DISPUTED),
  reservedCents: sum.describe(RESERVED),
  ...budgetState,
});

export const projectCost = z.object({
  projectId: id.nullable(),
  projectName: z.string().nullable(),
  costCents: sum,
  inputTokens: sum,
  outputTokens: sum,
  unpricedEvents: sum.describe(UNPRICED),
});

const sums = {
  costCents: sum,
  inputTokens: sum,
  outputTokens: sum,
  unpricedEvents: sum.describe(UNPRICED),
  events: sum,
};

export const dayCost = z.object({ day: date, ...sums });

export const providerCost = z.object({ provider: z.string(), ...sums });

export const modelCost = z.object({ provider: z.string(), model: z.string(), ...sums });

export const issueCost = z.object({
  issueId: id.nullable(),
  identifier: z.string().nullable(),
  title: z.string().nullable(),
  ...sums,
});

export const runCost = z.object({
  runId: id.nullable(),
  agentId: id.nullable(),
  agentName: z.string().nullable(),
  issueId: id.nullable().describe('The issue of the run; null if it has none'),
  status: z.string().nullable(),
  ...sums,
});

export const LIMIT_LEVELS = ['ok', 'near', 'at_limit'] as const;

export const listLimitsQuery = z.strictObject({
  includeOk: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: includes limits below 80 %'),
  ...pageQuery(),
});

export const spendingLimit = z.object({
  scope: z.enum(['company', 'agent']),
  id,
  name: z.string(),
  spendCents: sum,
  budgetCents: cents.min(1),
  utilizationPercent: z.number(),
  level: z.enum(LIMIT_LEVELS).describe('`near` from 80 %, `at_limit` from 100 %'),
  burnRateCentsPerDay: budgetState.burnRateCentsPerDay,
  endsOn: budgetState.endsOn,
});

export type CostRange = Range;
export type CostSummaryView = z.infer<typeof costSummary>;
export type AgentCostView = z.infer<typeof agentCost>;
export type ProjectCostView = z.infer<typeof projectCost>;
export type ListCostsQuery = z.infer<typeof listCostsQuery>;
export type ListCostEventsQuery = z.infer<typeof listCostEventsQuery>;
export type ListLimitsQuery = z.infer<typeof listLimitsQuery>;
export type SpendingLimitView = z.infer<typeof spendingLimit>;
