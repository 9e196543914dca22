import { budgetUse } from '../../../state/budgets/budget-use';
import { forecast, type Spending } from '../../../state/budgets/forecast';

/**
 * How a report shows a budget beside what was spent in its range. Only the present month is compared with it: what it was
 * in another one is not kept, and no other range has one.
 */
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
