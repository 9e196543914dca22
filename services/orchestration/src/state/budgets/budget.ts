/** Share of a monthly budget at which the soft alert is due (spec, "Limits"). */
const SOFT_PERCENT = 80;

export type BudgetAlert = 'none' | 'soft' | 'hard';

/** What was said in a month already; hard is never said before soft. */
export interface BudgetMarks {
  soft: boolean;
  hard: boolean;
}

/** The least spend in cents that is 80 % of the budget. */
export const softThreshold = (budgetCents: number) => Math.ceil((budgetCents * SOFT_PERCENT) / 100);

/** What a month's spend calls for; a budget of 0 is no limit (contract, "Cost reports"). */
export function budgetAlert(spendCents: number, budgetCents: number): BudgetAlert {
  if (budgetCents === 0) return 'none';
  if (spendCents >= budgetCents) return 'hard';
  return spendCents >= softThreshold(budgetCents) ? 'soft' : 'none';
}

/** The spend that the next thing to be said waits for; null when nothing is left to say. */
export function nextThreshold(budgetCents: number, marks: BudgetMarks): number | null {
  if (budgetCents === 0 || marks.hard) return null;
  return marks.soft ? budgetCents : softThreshold(budgetCents);
}
