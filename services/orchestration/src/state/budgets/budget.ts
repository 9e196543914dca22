export const SOFT_PERCENT = 80;

export type BudgetAlert = 'none' | 'soft' | 'hard';

export interface BudgetMarks {
  soft: boolean;
  hard: boolean;
}

export function budgetAlert(spendCents: number, budgetCents: number): BudgetAlert {
  if (budgetCents === 0) return 'none';
  if (spendCents >= budgetCents) return 'hard';
  return spendCents >= softThreshold(budgetCents) ? 'soft' : 'none';
}

export const softThreshold = (budgetCents: number) => Math.ceil((budgetCents * SOFT_PERCENT) / 100);

export function nextThreshold(budgetCents: number, marks: BudgetMarks): number | null {
  if (budgetCents === 0 || marks.hard) return null;
  return marks.soft ? budgetCents : softThreshold(budgetCents);
}
