import { type BudgetAlert, budgetAlert } from './budget';

export interface BudgetUse {
  utilizationPercent: number;
  alert: BudgetAlert;
}

export function budgetUse(spendCents: number, budgetCents: number): BudgetUse {
  const basisPoints = budgetCents === 0 ? 0 : Math.floor((spendCents * 10_000) / budgetCents);
  return { utilizationPercent: basisPoints / 100, alert: budgetAlert(spendCents, budgetCents) };
}
