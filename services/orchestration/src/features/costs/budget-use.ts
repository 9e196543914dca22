import { type BudgetAlert, budgetAlert } from '../../budget';

export interface BudgetUse {
  utilizationPercent: number;
  alert: BudgetAlert;
}

/** Share of a monthly budget that is spent, and the alert it calls for (spec, "Limits"); 0 is no limit. */
export function budgetUse(spendCents: number, budgetCents: number): BudgetUse {
  const percent = budgetCents === 0 ? 0 : (spendCents / budgetCents) * 100;
  // Rounded down, so that a figure of 100 always means that the budget is spent.
  const utilizationPercent = Math.floor(percent * 100) / 100;
  return { utilizationPercent, alert: budgetAlert(spendCents, budgetCents) };
}
