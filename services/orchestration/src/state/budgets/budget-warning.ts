import type { Database } from '@switchyard/db';
import { softThreshold } from './budget';
import { THIS_MONTH } from './month';

const READ = `
  SELECT a.budget_monthly_cents::float8 AS "agentBudget",
    c.budget_monthly_cents::float8 AS "companyBudget",
    (SELECT coalesce(sum(cost_cents), 0)::float8 FROM agent_month
      WHERE agent_id = a.id AND month = ${THIS_MONTH}) AS "agentSpend",
    CASE WHEN c.budget_monthly_cents = 0 THEN 0 ELSE (
      SELECT coalesce(sum(cost_cents), 0)::float8 FROM agent_month
      WHERE company_id = c.id AND month = ${THIS_MONTH}) END AS "companySpend"
  FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = $1::uuid`;

interface Row {
  agentBudget: number;
  companyBudget: number;
  agentSpend: number;
  companySpend: number;
}

const isNear = (spend: number, budget: number) => budget > 0 && spend >= softThreshold(budget);

/**
 * Which budgets have reached 80 %, `agent`, `company` or both by a comma: whoever wakes now should keep
 * to critical tasks (spec, "Limits"). Null while there is money.
 */
export async function budgetWarning(db: Database, agentId: string): Promise<string | null> {
  const [row] = await db.rows<Row>('budget-warning', READ, [agentId]);
  if (!row) return null;
  const near = [
    ...(isNear(row.agentSpend, row.agentBudget) ? ['agent'] : []),
    ...(isNear(row.companySpend, row.companyBudget) ? ['company'] : []),
  ];
  return near.length > 0 ? near.join(',') : null;
}
