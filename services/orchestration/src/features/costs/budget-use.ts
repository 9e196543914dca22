import type { DashboardView } from '@switchyard/types';

type BudgetUse = Pick<DashboardView['spend'], 'utilizationPercent' | 'alert'>;

/** Share of a monthly budget that is spent, and the alert it calls for (spec, "Limits"); 0 is no limit. */
export function budgetUse(spendCents: number, budgetCents: number): BudgetUse {
  if (budgetCents === 0) return { utilizationPercent: 0, alert: 'none' };
  const percent = (spendCents / budgetCents) * 100;
  const alert = percent >= 100 ? 'hard' : percent >= 80 ? 'soft' : 'none';
  // Rounded down, so that a figure of 100 always means that the budget is spent.
  return { utilizationPercent: Math.floor(percent * 100) / 100, alert };
}
