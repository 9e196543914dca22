import { type BudgetAlert, budgetAlert } from './budget';

export interface BudgetUse {
  utilizationPercent: number;
  alert: BudgetAlert;
}

/** Share of a monthly budget that is spent, and the alert it calls for (spec, "Limits"); 0 is no limit. */
export function budgetUse(spendCents: number, budgetCents: number): BudgetUse {
  // Rounded down, so that a figure of 100 always means that the budget is spent.
  const basisPoints = budgetCents === 0 ? 0 : Math.floor((spendCents * 10_000) / budgetCents);
  return { utilizationPercent: basisPoints / 100, alert: budgetAlert(spendCents, budgetCents) };
}
