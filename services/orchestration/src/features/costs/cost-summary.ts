import { notFound } from '@switchyard/server';
import type { CostSummaryView } from '@switchyard/types';
import type { Call } from '../../call';
import { budgetUse } from '../../state/budgets/budget-use';
import { THIS_MONTH } from '../../state/budgets/month';

const READ = `
  SELECT to_char(${THIS_MONTH}, 'YYYY-MM') AS month,
    c.budget_monthly_cents::float8 AS "budgetCents",
    coalesce(sum(m.cost_cents), 0)::float8 AS "spendCents",
    coalesce(sum(m.unpriced_events), 0)::float8 AS "unpricedEvents"
  FROM company c LEFT JOIN agent_month m ON m.company_id = c.id AND m.month = ${THIS_MONTH}
  WHERE c.id = $1::uuid GROUP BY c.id`;

type Row = Pick<CostSummaryView, 'month' | 'budgetCents' | 'spendCents' | 'unpricedEvents'>;

/** The present UTC month by the database clock (contract, "Cost reports"). */
export async function getCostSummary(call: Call): Promise<CostSummaryView> {
  const { companyId } = call;
  const [row] = await call.db.rows<Row>('cost-summary', READ, [companyId]);
  if (!row) throw notFound('company');
  return { companyId, ...row, ...budgetUse(row.spendCents, row.budgetCents) };
}
