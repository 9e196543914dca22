import type { Transaction } from '@switchyard/db';
import type { LockedAgent } from '../agents/lock-agent';
import { THIS_MONTH } from './month';
import type { BudgetReason } from './spent';

const READ = `
  SELECT hard_stopped_at IS NOT NULL AS stopped FROM company_month
  WHERE company_id = $1::uuid AND month = ${THIS_MONTH} FOR SHARE`;

const OPEN = `
  INSERT INTO company_month (company_id, month) VALUES ($1::uuid, ${THIS_MONTH})
  ON CONFLICT DO NOTHING`;

/**
 * Reads whether the company's budget was crossed, and keeps the crossing from being committed before the
 * caller: a start that saw room therefore lies before it.
 */
async function holdOffCompanyStop(tx: Transaction, companyId: string): Promise<boolean> {
  const read = async () => {
    const [row] = await tx.prisma.$queryRawUnsafe<{ stopped: boolean }[]>(READ, companyId);
    return row;
  };
  const found = await read();
  if (found) return found.stopped;
  await tx.prisma.$executeRawUnsafe(OPEN, companyId);
  return (await read())?.stopped ?? false;
}

/**
 * Which budget keeps a run from starting (guarantee G19); decided under the lock of the agent, which an
 * agent's crossing takes too. Must be the last lock of its caller.
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
