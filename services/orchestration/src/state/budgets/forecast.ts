/** How far back the rate of spending is measured. */
const RECENT_DAYS = 7;

const DAY_MS = 86_400_000;

export interface Forecast {
  burnRateCentsPerDay: number;
  endsOn: string | null;
}

/** What a forecast is made from. `now` is the database's clock; the budget is a monthly one, and 0 is no limit. */
export interface Spending {
  now: string;
  spendCents: number;
  budgetCents: number;
  recentCents: number;
  recentDays: number;
}

/**
 * Spend of the last 7 days by day, and the UTC day on which the budget is spent if that goes on: today when it is spent
 * already, null when that is not in this month, whose end renews the budget.
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

/** SQL: events of the days that a forecast looks back on. */
export const RECENTLY = `created_at > now() - interval '${RECENT_DAYS} days'`;

/** SQL: how many days of those the company or agent that `alias` names has been there; one at least. */
export const recentDays = (alias: string) =>
  `least(${RECENT_DAYS}, greatest(1, extract(epoch FROM now() - ${alias}.created_at) / 86400))::float8`;
