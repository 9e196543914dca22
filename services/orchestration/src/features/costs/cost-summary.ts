import { ask, statement } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { CostSummaryView } from '@switchyard/types';
import type { Call } from '../../call';
import { budgetUse } from '../../state/budgets/budget-use';
import { THIS_MONTH } from '../../state/budgets/month';

/** The present UTC month by the database clock. */
export async function getCostSummary({ db, companyId }: Call): Promise<CostSummaryView> {
  const [row] = await ask(db, readCostSummary, { companyId });
  if (!row) throw notFound('company');
  return { companyId, ...row, ...budgetUse(row.spendCents, row.budgetCents) };
}

const readCostSummary = statement('read-cost-summary', {
  takes: { companyId: 'uuid' },
  gives: { month: 'text', budgetCents: 'bigint', spendCents: 'bigint', unpricedEvents: 'bigint' },
  sql: ({ companyId }) => `
    SELECT to_char(${THIS_MONTH}, 'YYYY-MM') AS month, c.budget_monthly_cents AS "budgetCents",
      coalesce(sum(m.cost_cents), 0)::bigint AS "spendCents",
      coalesce(sum(m.unpriced_events), 0) AS "unpricedEvents"
    FROM company c LEFT JOIN agent_month m ON m.company_id = c.id AND m.month = ${THIS_MONTH}
    WHERE c.id = ${companyId} GROUP BY c.id`,
});
