import { anySql, ask, statement } from '@switchyard/db';
import { inTransaction, systemCall } from '../../kernel/call';
import type { Context } from '../../kernel/context';
import { lockAgent } from '../../state/agents/lock-agent';
import { agentSpend } from '../../state/budgets/spent';
import { enforceAgentBudget, lockSpend } from '../../state/costs/agent-budget';

const BATCH = 200;

const RESUMABLE = {
  from: 'agent a',
  where: `a.pause_reason = 'budget'
    AND (a.budget_monthly_cents = 0 OR ${agentSpend('a.id')} < a.budget_monthly_cents)`,
  order: 'a.id',
};

export const hasResumableAgentsSql = anySql(RESUMABLE);

export async function sweepBudgets(context: Context): Promise<number> {
  const agents = await ask(context.db, findResumable, {});
  for (const { id, companyId } of agents) {
    await inTransaction(systemCall(context, companyId), async (tx) => {
      await lockAgent(tx, id);
      await lockSpend(tx, id, null);
      await enforceAgentBudget(tx, id);
    });
  }
  return agents.length;
}

const findResumable = statement('find-resumable-agents', {
  takes: {},
  gives: { id: 'uuid', companyId: 'uuid' },
  sql: () => `
    SELECT a.id, a.company_id AS "companyId" FROM ${RESUMABLE.from}
    WHERE ${RESUMABLE.where} ORDER BY ${RESUMABLE.order} LIMIT ${BATCH}`,
});
