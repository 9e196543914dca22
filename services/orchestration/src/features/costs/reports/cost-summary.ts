import { ask, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { CostRange, CostSummaryView } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { recentCompanySpend, recentDays } from '../../../state/budgets/forecast';
import { THIS_MONTH } from '../../../state/budgets/month';
import { companySpend, reservedCents } from '../../../state/budgets/spent';
import { budgetState } from './budget-state';
import {
  dayAfter,
  disputedIn,
  firstDay,
  monthOf,
  monthsIn,
  PRESENT_MONTH,
  rangeOf,
} from './cost-range';

export async function getCostSummary(
  { db, companyId }: Call,
  query: CostRange,
): Promise<CostSummaryView> {
  const range = rangeOf(query);
  const read = range === PRESENT_MONTH ? readPresentMonth : readRange;
  const [row] = await ask(db, read, { companyId, ...range });
  if (!row) throw notFound('company');
  const {
    presentMonth,
    rangeCents,
    unpricedEvents,
    disputedCents,
    reservedCents,
    from,
    to,
    ...spending
  } = row;
  const month = monthOf({ from, to });
  return {
    companyId,
    month,
    from,
    to,
    spendCents: rangeCents,
    budgetCents: spending.budgetCents,
    unpricedEvents,
    disputedCents,
    reservedCents,
    ...budgetState(spending, rangeCents, month === presentMonth),
  };
}

type Parameters = Record<'companyId' | 'from' | 'to', string>;

const summaryOf = (spent: (p: Parameters) => string) =>
  ({
    takes: { companyId: 'uuid', from: 'date?', to: 'date?' },
    gives: {
      presentMonth: 'text',
      from: 'date',
      to: 'date',
      now: 'time',
      budgetCents: 'bigint',
      rangeCents: 'bigint',
      unpricedEvents: 'bigint',
      disputedCents: 'bigint',
      reservedCents: 'bigint',
      spendCents: 'bigint',
      recentCents: 'bigint',
      recentDays: 'float',
    },
    sql: (p: Parameters) => `
      SELECT to_char(${THIS_MONTH}, 'YYYY-MM') AS "presentMonth", ${firstDay(p)} AS "from",
        ${dayAfter(p)} AS "to", now(), c.budget_monthly_cents AS "budgetCents",
        spent.cents AS "rangeCents", spent.unpriced AS "unpricedEvents",
        (SELECT coalesce(sum(disputed_cents), 0)::bigint ${disputedIn(p)}) AS "disputedCents",
        ${reservedCents('v.company_id = c.id')} AS "reservedCents",
        ${companySpend('c.id')} AS "spendCents",
        ${recentCompanySpend('c.id')} AS "recentCents",
        ${recentDays('c')} AS "recentDays"
      FROM company c CROSS JOIN (${spent(p)}) spent WHERE c.id = ${p.companyId}`,
  }) as const;

const readPresentMonth = statement(
  'read-cost-summary',
  summaryOf(
    (p) => `
      SELECT coalesce(sum(cost_cents), 0)::bigint AS cents,
        coalesce(sum(unpriced_events), 0) AS unpriced
      FROM agent_month WHERE ${monthsIn(p)}`,
  ),
);

const readRange = statement(
  'read-cost-summary-of-range',
  summaryOf(
    (p) => `
      SELECT coalesce(sum(cost_cents), 0)::bigint AS cents,
        coalesce(sum(unpriced_events), 0)::bigint AS unpriced
      FROM cost_day WHERE company_id = ${p.companyId} AND day >= ${firstDay(p)} AND day < ${dayAfter(p)}`,
  ),
);
