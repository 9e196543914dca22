import { budgetUse } from '../../../state/budgets/budget-use';
import { forecast, type Spending } from '../../../state/budgets/forecast';

export function budgetState(spending: Spending, rangeCents: number, isPresentMonth: boolean) {
  const { budgetCents } = spending;
  const use = budgetUse(rangeCents, budgetCents);
  return {
    utilizationPercent: isPresentMonth ? use.utilizationPercent : null,
    alert: isPresentMonth ? use.alert : ('none' as const),
    unlimited: budgetCents === 0,
    ...forecast(spending),
  };
}
