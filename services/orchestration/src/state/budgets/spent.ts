import { ask, type Database, statement } from '@switchyard/db';
import { THIS_MONTH } from './month';

export type BudgetReason = 'agent_budget' | 'company_budget';

export async function spentBudgetOf(db: Database, agentId: string): Promise<BudgetReason | null> {
  const [row] = await ask(db, readSpentBudgets, { agentId });
  const ofCompany = row?.company ? 'company_budget' : null;
  return row?.agent ? 'agent_budget' : ofCompany;
}

export const agentBudgetSpent = (alias: string) =>
  `(${alias}.budget_monthly_cents > 0 AND EXISTS (
    SELECT 1 FROM agent_month m WHERE m.agent_id = ${alias}.id AND m.month = ${THIS_MONTH}
      AND m.cost_cents >= ${alias}.budget_monthly_cents))`;

export const companyBudgetSpent = (alias: string) =>
  `(CASE WHEN ${alias}.budget_monthly_cents = 0 THEN false
    ELSE ${companySpend(`${alias}.id`)} >= ${alias}.budget_monthly_cents END)`;

export const isSpentSql = (spend: string, budget: string) =>
  `(${budget} > 0 AND ${spend} >= ${budget})`;

export const agentSpend = (agentId: string) =>
  `coalesce((SELECT m.cost_cents FROM agent_month m
    WHERE m.agent_id = ${agentId} AND m.month = ${THIS_MONTH}), 0)`;

export const companySpend = (companyId: string) =>
  `(SELECT coalesce(sum(m.cost_cents), 0)::bigint FROM agent_month m
    WHERE m.company_id = ${companyId} AND m.month = ${THIS_MONTH})`;

export const reservedCents = (where: string) =>
  `(SELECT coalesce(sum(v.cents), 0)::bigint FROM reservation v WHERE v.cents > 0 AND ${where})`;

const readSpentBudgets = statement('read-spent-budgets', {
  takes: { agentId: 'uuid' },
  gives: { agent: 'bool', company: 'bool' },
  sql: ({ agentId }) => `
    SELECT ${agentBudgetSpent('a')} AS agent, ${companyBudgetSpent('c')} AS company
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${agentId}`,
});
