import { inTransaction } from '@switchyard/db';
import type { Context } from '../../context';
import { lockAgent } from '../../state/agents/lock-agent';
import { lockSpend, settleAgentBudget } from '../../state/budgets/agent-budget';
import { THIS_MONTH } from '../../state/budgets/month';

const BATCH = 200;

const RESUMABLE = `
  SELECT a.id FROM agent a WHERE a.pause_reason = 'budget' AND NOT EXISTS (
    SELECT 1 FROM agent_month m WHERE m.agent_id = a.id AND m.month = ${THIS_MONTH}
      AND m.cost_cents >= a.budget_monthly_cents)
  ORDER BY a.id LIMIT ${BATCH}`;

/** Resumes those whom the budget of an earlier month paused; decided again under the agent's lock. */
export async function sweepBudgets(context: Pick<Context, 'db'>): Promise<number> {
  const rows = await context.db.rows<{ id: string }>('sweep-budgets', RESUMABLE, []);
  for (const { id } of rows) {
    await inTransaction(context.db, async (tx) => {
      await lockAgent(tx, id);
      await lockSpend(tx, id, null);
      await settleAgentBudget(tx, id);
    });
  }
  return rows.length;
}
