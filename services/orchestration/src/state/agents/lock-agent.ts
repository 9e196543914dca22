import { ask, bind, statement, type Transaction, trip } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';
import { agentBudgetSpent } from '../budgets/spent';

export interface LockedAgent {
  id: string;
  companyId: string;
  name: string;
  status: 'idle' | 'running' | 'paused' | 'error' | 'pending_approval' | 'terminated';
  pauseReason: string | null;
  agentBudgetSpent: boolean;
}

export async function lockAgent(tx: Transaction, agentId: string): Promise<LockedAgent> {
  const [agent] = await trip(tx, [bind(lockAgentRow, { agentId })], readLockedAgent, { agentId });
  if (!agent) throw notFound('agent');
  return agent as LockedAgent;
}

export async function lockAgents(tx: Transaction, companyId: string): Promise<string[]> {
  const agents = await ask(tx, lockAgentsOfCompany, { companyId });
  return agents.map(({ id }) => id);
}

/**
 * Updates the rows of a company's agents, so that a checkout that waits for an agent's lock detects
 * that its earlier reads may be outdated.
 */
export async function renewAgents(tx: Transaction, companyId: string): Promise<void> {
  await ask(tx, renewAgentsOfCompany, { companyId });
}

export function refuseTerminated(agent: Pick<LockedAgent, 'status'>): void {
  if (agent.status !== 'terminated') return;
  throw conflict('agent_terminated', 'a terminated agent cannot be changed', { retry: false });
}

export const lockAgentRow = statement('lock-agent', {
  takes: { agentId: 'uuid' },
  gives: {},
  sql: ({ agentId }) => `SELECT FROM agent WHERE id = ${agentId} FOR NO KEY UPDATE`,
});

const lockAgentsOfCompany = statement('lock-agents-of-company', {
  takes: { companyId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ companyId }) => `
    SELECT id FROM agent WHERE company_id = ${companyId} ORDER BY id FOR NO KEY UPDATE`,
});

const renewAgentsOfCompany = statement('renew-agents-of-company', {
  takes: { companyId: 'uuid' },
  gives: {},
  sql: ({ companyId }) =>
    `UPDATE agent SET updated_at = updated_at WHERE company_id = ${companyId}`,
});

/**
 * A separate statement, because the statement that waits for the lock may have an older snapshot.
 */
const readLockedAgent = statement('read-locked-agent', {
  takes: { agentId: 'uuid' },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    name: 'text',
    status: 'text',
    pauseReason: 'text?',
    agentBudgetSpent: 'bool',
  },
  sql: ({ agentId }) => `
    SELECT a.id, a.company_id AS "companyId", a.name, a.status, a.pause_reason AS "pauseReason",
      ${agentBudgetSpent('a')} AS "agentBudgetSpent"
    FROM agent a WHERE a.id = ${agentId}`,
});
