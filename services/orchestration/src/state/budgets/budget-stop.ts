import { ask, statement, type Transaction } from '@switchyard/db';
import type { LockedAgent } from '../agents/lock-agent';
import { THIS_MONTH } from './month';
import type { BudgetReason } from './spent';

/**
 * Which budget keeps a run from starting; decided under the lock of the agent, which an agent's crossing takes too. Must
 * be the last lock of its caller.
 */
export async function budgetStop(
  tx: Transaction,
  agent: LockedAgent,
): Promise<BudgetReason | null> {
  if (agent.agentBudgetSpent) return 'agent_budget';
  if (!agent.companyHasBudget) return null;
  const stopped = await holdOffCompanyStop(tx, agent.companyId);
  return stopped || agent.companyBudgetSpent ? 'company_budget' : null;
}

/**
 * Reads whether the company's budget was crossed, and keeps the crossing from being committed before the caller: a start
 * that saw room therefore lies before it.
 */
async function holdOffCompanyStop(tx: Transaction, companyId: string): Promise<boolean> {
  const [found] = await ask(tx, readCompanyStop, { companyId });
  if (found) return found.stopped;
  await ask(tx, openCompanyMonth, { companyId });
  const [opened] = await ask(tx, readCompanyStop, { companyId });
  return opened?.stopped ?? false;
}

const readCompanyStop = statement('read-company-stop', {
  takes: { companyId: 'uuid' },
  gives: { stopped: 'bool' },
  sql: ({ companyId }) => `
    SELECT hard_stopped_at IS NOT NULL AS stopped FROM company_month
    WHERE company_id = ${companyId} AND month = ${THIS_MONTH} FOR SHARE`,
});

const openCompanyMonth = statement('open-company-month', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) => `
    INSERT INTO company_month (company_id, month) VALUES (${companyId}, ${THIS_MONTH})
    ON CONFLICT DO NOTHING`,
});
