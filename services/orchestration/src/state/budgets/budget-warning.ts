import { ask, type Database, statement } from '@switchyard/db';
import { softThreshold } from './budget';
import { agentSpend, companySpend } from './spent';

/**
 * Returns the budgets that have reached 80 %: `agent`, `company` or both, separated by a comma;
 * otherwise null. An agent should then only work on critical tasks (spec, "Limits").
 */
export async function budgetWarning(db: Database, agentId: string): Promise<string | null> {
  const [row] = await ask(db, readBudgetUse, { agentId });
  if (!row) return null;
  const near = [
    ...(isNear(row.agentSpend, row.agentBudget) ? ['agent'] : []),
    ...(isNear(row.companySpend, row.companyBudget) ? ['company'] : []),
  ];
  return near.length > 0 ? near.join(',') : null;
}

const isNear = (spend: number, budget: number) => budget > 0 && spend >= softThreshold(budget);

const readBudgetUse = statement('read-budget-use', {
  takes: { agentId: 'uuid' },
  gives: {
    agentBudget: 'bigint',
    companyBudget: 'bigint',
    agentSpend: 'bigint',
    companySpend: 'bigint',
  },
  sql: ({ agentId }) => `
    SELECT a.budget_monthly_cents AS "agentBudget", c.budget_monthly_cents AS "companyBudget",
      ${agentSpend('a.id')} AS "agentSpend",
      CASE WHEN c.budget_monthly_cents = 0 THEN 0 ELSE ${companySpend('c.id')} END AS "companySpend"
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${agentId}`,
});
