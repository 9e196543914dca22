import { statement, type Transaction } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import { agentBudgetSpent, companyBudgetSpent } from '../budgets/spent';

export interface LockedAgent {
  id: string;
  companyId: string;
  name: string;
  status: 'idle' | 'running' | 'paused' | 'error' | 'pending_approval' | 'terminated';
  pauseReason: string | null;
  maxConcurrentRuns: number;
  consecutiveFailures: number;
  companyStatus: 'active' | 'paused' | 'archived';
  companyHasBudget: boolean;
  agentBudgetSpent: boolean;
  companyBudgetSpent: boolean;
}

type OwnColumns = Omit<
  LockedAgent,
  'companyStatus' | 'companyHasBudget' | 'agentBudgetSpent' | 'companyBudgetSpent'
>;

/**
 * Takes the one lock that admission, claim, finish, pause and terminate of an agent share. Order of
 * locks everywhere: company, agent, run, issue, then the rest.
 */
export async function lockAgent(tx: Transaction, agentId: string): Promise<LockedAgent> {
  // All else is read by a second statement: the first one's snapshot may predate the lock.
  const locked = await tx.prisma.$queryRaw<OwnColumns[]>`
    SELECT id, company_id AS "companyId", name, status, pause_reason AS "pauseReason",
      max_concurrent_runs AS "maxConcurrentRuns", consecutive_failures AS "consecutiveFailures"
    FROM agent WHERE id = ${agentId}::uuid FOR NO KEY UPDATE`;
  const [agent] = locked;
  if (!agent) throw notFound('agent');
  const [around] = await tx.prisma.$queryRaw<Omit<LockedAgent, keyof OwnColumns>[]>`
    SELECT c.status AS "companyStatus", c.budget_monthly_cents > 0 AS "companyHasBudget",
      ${agentBudgetSpent('a')} AS "agentBudgetSpent",
      ${companyBudgetSpent('c')} AS "companyBudgetSpent"
    FROM agent a JOIN company c ON c.id = a.company_id WHERE a.id = ${agentId}::uuid`;
  if (!around) throw notFound('agent');
  return { ...agent, ...around };
}

/** @throws ApiError 409: termination is irreversible (spec, "Agent") */
export function refuseTerminated(agent: LockedAgent): void {
  if (agent.status !== 'terminated') return;
  throw conflict('agent_terminated', 'a terminated agent cannot be changed', { retry: false });
}

/**
 * Why nothing may start for an agent now; null when it may. A pause by the budget counts only while
 * the budget of this month is spent: what a new month leaves of it is lifted by whoever comes first.
 */
export function notInvokableReason(
  agent: Pick<
    LockedAgent,
    'status' | 'pauseReason' | 'companyStatus' | 'agentBudgetSpent' | 'companyBudgetSpent'
  >,
): string | null {
  if (agent.companyStatus !== 'active') return `company_${agent.companyStatus}`;
  if (agent.status === 'pending_approval' || agent.status === 'terminated') {
    return `agent_${agent.status}`;
  }
  if (agent.status === 'paused' && agent.pauseReason !== 'budget') {
    return `agent_paused_${agent.pauseReason}`;
  }
  if (agent.agentBudgetSpent) return 'agent_budget';
  return agent.companyBudgetSpent ? 'company_budget' : null;
}

export const lockAgentRow = statement('lock-agent', {
  takes: { agentId: 'uuid' },
  gives: {},
  sql: ({ agentId }) => `SELECT FROM agent WHERE id = ${agentId} FOR NO KEY UPDATE`,
});
