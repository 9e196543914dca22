import type { CostRange } from '@switchyard/types';
import { THIS_MONTH } from '../../../state/budgets/month';

/** UTC days; `to` is exclusive. Null means the current month by the database clock. */
export interface Days {
  from: string | null;
  to: string | null;
}

export const PRESENT_MONTH: Days = { from: null, to: null };

export function rangeOf({ month, from, to }: CostRange): Days {
  if (month !== undefined) return daysOf(month);
  return from !== undefined && to !== undefined ? { from, to } : PRESENT_MONTH;
}

export function monthOf(days: { from: string; to: string }): string | null {
  const month = days.from.slice(0, 7);
  const whole = daysOf(month);
  return whole.from === days.from && whole.to === days.to ? month : null;
}

function daysOf(month: string) {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const next = new Date(Date.UTC(year, number, 1)).toISOString();
  return { from: `${month}-01`, to: next.slice(0, 10) };
}

interface RangeParameters {
  from: string;
  to: string;
}

export const firstDay = ({ from }: RangeParameters) => `coalesce(${from}, ${THIS_MONTH})`;
export const dayAfter = ({ to }: RangeParameters) =>
  `coalesce(${to}, (${THIS_MONTH} + interval '1 month')::date)`;

export const monthsIn = (p: RangeParameters & { companyId: string }) =>
  `company_id = ${p.companyId} AND month >= ${firstDay(p)} AND month < ${dayAfter(p)}`;

export const disputedIn = (p: RangeParameters & { companyId: string }) =>
  `FROM cost_event WHERE company_id = ${p.companyId} AND disputed_cents > 0
    AND created_at >= ${firstDay(p)}::timestamp AT TIME ZONE 'UTC'
    AND created_at < ${dayAfter(p)}::timestamp AT TIME ZONE 'UTC'`;

export const SUMS = {
  costCents: 'bigint',
  inputTokens: 'bigint',
  outputTokens: 'bigint',
  unpricedEvents: 'bigint',
  events: 'bigint',
} as const;

export const talliedBy = (by: string, p: RangeParameters & { companyId: string }): string => `
  SELECT ${by}, ${TALLIED} FROM cost_day
  WHERE company_id = ${p.companyId} AND day >= ${firstDay(p)} AND day < ${dayAfter(p)}
  GROUP BY ${by}`;

export const TALLIED = `sum(cost_cents)::bigint AS cost_cents, sum(input_tokens)::bigint AS input_tokens,
  sum(output_tokens)::bigint AS output_tokens, sum(unpriced_events)::bigint AS unpriced_events,
  sum(events)::bigint AS events`;

/**
 * Sums events, because `cost_day` lacks the columns in `by`. Reads each day separately from a
 * covering index; for a year at once, PostgreSQL would scan the table.
 */
export function spentBy(by: string, p: RangeParameters & { companyId: string }): string {
  return `
    SELECT ${by}, sum(cost_cents)::bigint AS cost_cents, sum(input_tokens)::bigint AS input_tokens,
      sum(output_tokens)::bigint AS output_tokens,
      count(*) FILTER (WHERE unpriced) AS unpriced_events, count(*) AS events
    FROM (
      SELECT ${firstDay(p)} + n AS day FROM generate_series(0, ${dayAfter(p)} - ${firstDay(p)} - 1) n
    ) days JOIN cost_event ON company_id = ${p.companyId}
      AND created_at >= days.day::timestamp AT TIME ZONE 'UTC'
      AND created_at < (days.day + 1)::timestamp AT TIME ZONE 'UTC'
    GROUP BY ${by}`;
}
