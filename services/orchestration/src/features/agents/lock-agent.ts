import type { Tx } from '@switchyard/db';
import { conflict, notFound } from '@switchyard/server';

export interface LockedAgent {
  id: string;
  companyId: string;
  name: string;
  status: 'idle' | 'running' | 'paused' | 'error' | 'pending_approval' | 'terminated';
  pauseReason: string | null;
  maxConcurrentRuns: number;
  consecutiveFailures: number;
  companyStatus: 'active' | 'paused' | 'archived';
}

/**
 * Takes the one lock that admission, claim, finish, pause and terminate of an agent share. Order of
 * locks everywhere: agent, run, issue.
 */
export async function lockAgent(tx: Tx, agentId: string): Promise<LockedAgent> {
  // The company is read by a second statement: the first one's snapshot may predate the lock.
  const locked = await tx.$queryRaw<Omit<LockedAgent, 'companyStatus'>[]>`
    SELECT id, company_id AS "companyId", name, status, pause_reason AS "pauseReason",
      max_concurrent_runs AS "maxConcurrentRuns", consecutive_failures AS "consecutiveFailures"
    FROM agent WHERE id = ${agentId}::uuid FOR NO KEY UPDATE`;
  const [agent] = locked;
  if (!agent) throw notFound('agent');
  const company = await tx.company.findUniqueOrThrow({
    where: { id: agent.companyId },
    select: { status: true },
  });
  return { ...agent, companyStatus: company.status as LockedAgent['companyStatus'] };
}

/** @throws Refusal 409: termination is irreversible (spec, "Agent") */
export function refuseTerminated(agent: LockedAgent): void {
  if (agent.status !== 'terminated') return;
  throw conflict('agent_terminated', 'a terminated agent cannot be changed', { retry: false });
}

/** Why nothing may start for an agent now; null when it may. */
export function notInvokableReason(
  agent: Pick<LockedAgent, 'status' | 'pauseReason' | 'companyStatus'>,
): string | null {
  if (agent.companyStatus !== 'active') return `company_${agent.companyStatus}`;
  if (agent.status === 'paused') return `agent_paused_${agent.pauseReason}`;
  if (agent.status === 'pending_approval' || agent.status === 'terminated') {
    return `agent_${agent.status}`;
  }
  return null;
}
