/** Share of a monthly budget at which the soft alert is due (spec, "Limits"). */
export const SOFT_PERCENT = 80;

export type BudgetAlert = 'none' | 'soft' | 'hard';

/** Alerts already recorded this month; hard is never recorded before soft. */
export interface BudgetMarks {
  soft: boolean;
  hard: boolean;
}

/** Returns the alert that a month's spend requires; a budget of 0 means unlimited. */
export function budgetAlert(spendCents: number, budgetCents: number): BudgetAlert {
  if (budgetCents === 0) return 'none';
  if (spendCents >= budgetCents) return 'hard';
  return spendCents >= softThreshold(budgetCents) ? 'soft' : 'none';
}

export const softThreshold = (budgetCents: number) => Math.ceil((budgetCents * SOFT_PERCENT) / 100);

/** Returns the spend in cents at which the next alert is due; null if none is left. */
export function nextThreshold(budgetCents: number, marks: BudgetMarks): number | null {
  if (budgetCents === 0 || marks.hard) return null;
  return marks.soft ? budgetCents : softThreshold(budgetCents);
}
