const RECENT_DAYS = 7;

const DAY_MS = 86_400_000;

export interface Forecast {
  burnRateCentsPerDay: number;
  endsOn: string | null;
}

export interface Spending {
  now: string;
  spendCents: number;
  budgetCents: number;
  recentCents: number;
  recentDays: number;
}

/**
 * Returns the average daily spend of the recent days, and the UTC day on which the budget runs out
 * at that rate: today if it is spent, null if it lasts until the end of the month.
 */
export function forecast(spending: Spending): Forecast {
  const perDay = spending.recentCents / spending.recentDays;
  return { burnRateCentsPerDay: Math.round(perDay * 100) / 100, endsOn: endOf(spending, perDay) };
}

function endOf({ now, spendCents, budgetCents }: Spending, perDay: number): string | null {
  if (budgetCents === 0) return null;
  if (spendCents >= budgetCents) return now.slice(0, 10);
  const [year, month] = now.split('-').map(Number) as [number, number];
  const end = Date.parse(now) + ((budgetCents - spendCents) / perDay) * DAY_MS;
  return end < Date.UTC(year, month, 1) ? new Date(end).toISOString().slice(0, 10) : null;
}

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const FIRST_DAY = `(${TODAY} - ${RECENT_DAYS - 1})`;

export const RECENTLY = `day >= ${FIRST_DAY}`;

export const recentCompanySpend = (companyId: string) =>
  `(SELECT coalesce(sum(cost_cents), 0)::bigint FROM cost_day
    WHERE company_id = ${companyId} AND ${RECENTLY})`;

/**
 * SQL: cents that one agent spent in the recent days. Looks up each day separately, because the day
 * precedes the agent in the index.
 */
export const recentAgentSpend = (companyId: string, agentId: string) =>
  `(SELECT coalesce(sum(d.cost_cents), 0)::bigint FROM generate_series(0, ${RECENT_DAYS - 1}) ago
    JOIN cost_day d ON d.company_id = ${companyId} AND d.day = ${TODAY} - ago AND d.agent_id = ${agentId})`;

/** SQL: days since the window began, or since `alias` was created if that is later; at least 1. */
export const recentDays = (alias: string) =>
  `least(extract(epoch FROM now() - ${FIRST_DAY}::timestamp AT TIME ZONE 'UTC') / 86400,
    greatest(1, extract(epoch FROM now() - ${alias}.created_at) / 86400))::float8`;
