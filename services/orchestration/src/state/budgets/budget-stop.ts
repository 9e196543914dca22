import { ask, type Database, statement } from '@switchyard/db';
import { THIS_MONTH } from './month';
import { agentBudgetSpent, companyBudgetSpent } from './spent';

export const budgetStopSql = (a: string, c: string) => `CASE
  WHEN ${agentBudgetSpent(a)} THEN 'agent_budget'
  WHEN ${companyBudgetSpent(c)} OR ${c}.budget_monthly_cents > 0 AND EXISTS (SELECT FROM company_month stopped
    WHERE stopped.company_id = ${c}.id AND stopped.month = ${THIS_MONTH} AND stopped.hard_stopped_at IS NOT NULL)
    THEN 'company_budget' END`;

/**
 * SQL: the CTE `month`, with `hard_stopped_at` of a company that has a budget. Locks the run, then
 * the month. Concurrent spend that would reach the budget waits for the lock of the month until the
 * caller commits.
 */
export const holdMonthSql = (runId: string) => `
  budgeted AS MATERIALIZED (
    SELECT c.id FROM heartbeat_run r JOIN company c ON c.id = r.company_id
    WHERE r.id = ${runId} AND c.budget_monthly_cents > 0 FOR UPDATE OF r
  ), month AS MATERIALIZED (
    SELECT m.hard_stopped_at FROM company_month m
    WHERE m.company_id = (SELECT id FROM budgeted) AND m.month = ${THIS_MONTH} FOR SHARE
  )`;

export const monthAllowsSql = (c: string) =>
  `(${c}.budget_monthly_cents = 0 OR EXISTS (SELECT FROM month WHERE hard_stopped_at IS NULL))`;

export const lacksMonthSql = (c: string) => `(${c}.budget_monthly_cents > 0 AND NOT EXISTS (
  SELECT FROM company_month m WHERE m.company_id = ${c}.id AND m.month = ${THIS_MONTH}))`;

export async function openMonth(db: Database, companyId: string): Promise<void> {
  await ask(db, openCompanyMonth, { companyId });
}

const openCompanyMonth = statement('open-company-month', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `
    INSERT INTO company_month (company_id, month) VALUES (${companyId}, ${THIS_MONTH})
    ON CONFLICT DO NOTHING`,
});
