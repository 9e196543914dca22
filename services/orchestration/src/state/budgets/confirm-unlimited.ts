import { ask, statement } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { Tx } from '../../kernel/call';
import { companyBudgetSpent, spentBudgetOf } from './spent';

interface BudgetChange {
  budgetMonthlyCents?: number | undefined;
  confirmUnlimited?: boolean | undefined;
}

/**
 * Requires a confirmation for setting a spent budget to 0: this may be meant as "nothing more" but
 * removes the limit. Requires the agent's lock, which recording spend also takes.
 * @throws ApiError 409 `confirmation_required`
 */
export async function assertAgentMayBeUnlimited(
  tx: Tx,
  agentId: string,
  change: BudgetChange,
): Promise<void> {
  if (!asksForUnlimited(change)) return;
  if ((await spentBudgetOf(tx, agentId)) === 'agent_budget') throw confirmationRequired('agent');
}

/**
 * Requires the company's lock.
 * @throws ApiError 409 `confirmation_required`
 */
export async function assertCompanyMayBeUnlimited(tx: Tx, change: BudgetChange): Promise<void> {
  if (!asksForUnlimited(change)) return;
  const [company] = await ask(tx, isCompanyBudgetSpent, { companyId: tx.companyId });
  if (company?.spent) throw confirmationRequired('company');
}

const asksForUnlimited = ({ budgetMonthlyCents, confirmUnlimited }: BudgetChange) =>
  budgetMonthlyCents === 0 && confirmUnlimited !== true;

const confirmationRequired = (scope: string) =>
  conflict(
    'confirmation_required',
    `the ${scope} has spent its budget, and budgetMonthlyCents 0 removes the limit: to confirm, send confirmUnlimited: true as well`,
    { field: 'confirmUnlimited', retry: false },
  );

const isCompanyBudgetSpent = statement('is-company-budget-spent', {
  takes: { companyId: 'uuid' },
  gives: { spent: 'bool' },
  sql: ({ companyId }) => `
    SELECT ${companyBudgetSpent('c')} AS spent FROM company c WHERE c.id = ${companyId}`,
});
