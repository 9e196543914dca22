/** Share of a monthly budget at which the soft alert is due (spec, "Limits"). */
export const SOFT_PERCENT = 80;

export type BudgetAlert = 'none' | 'soft' | 'hard';

/** What was recorded in a month already; hard is never recorded before soft. */
export interface BudgetMarks {
  soft: boolean;
  hard: boolean;
}

/** What a month's spend calls for; a budget of 0 is no limit. */
export function budgetAlert(spendCents: number, budgetCents: number): BudgetAlert {
  if (budgetCents === 0) return 'none';
  if (spendCents >= budgetCents) return 'hard';
  return spendCents >= softThreshold(budgetCents) ? 'soft' : 'none';
}

/** The least spend in cents that is 80 % of the budget. */
export const softThreshold = (budgetCents: number) => Math.ceil((budgetCents * SOFT_PERCENT) / 100);

/** The spend at which the next alert is due; null when none is left. */
export function nextThreshold(budgetCents: number, marks: BudgetMarks): number | null {
  if (budgetCents === 0 || marks.hard) return null;
  return marks.soft ? budgetCents : softThreshold(budgetCents);
}
