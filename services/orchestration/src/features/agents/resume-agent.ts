import { conflict } from '@switchyard/server';
import type { AgentDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAgent } from '../../state/agents/lock-agent';
import { getAgent } from './agents';

/**
 * Lifts a pause or an error. What was cancelled by the pause stays cancelled.
 * @throws ApiError 409 for a terminated agent, a draft that waits for approval, or a spent budget
 */
export async function resumeAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  return inTransaction(call, async (tx) => {
    const agent = await lockAgent(tx, agentId);
    if (agent.status === 'terminated' || agent.status === 'pending_approval') {
      throw conflict('conflict', `a ${agent.status} agent cannot be resumed`, {
        status: agent.status,
      });
    }
    if (agent.status !== 'paused' && agent.status !== 'error') return getAgent(tx, agentId);
    if (agent.agentBudgetSpent) {
      throw conflict('conflict', 'the budget of this month is spent; raise it to resume', {
        status: agent.status,
        reason: 'agent_budget',
        retry: false,
      });
    }
    const running = await tx.prisma.heartbeatRun.count({ where: { agentId, status: 'running' } });
    await tx.prisma.agent.update({
      where: { id: agentId },
      data: {
        status: running > 0 ? 'running' : 'idle',
        pauseReason: null,
        pausedAt: null,
        errorReason: null,
        consecutiveFailures: 0,
      },
    });
    await tx.record('agent.resumed', agentId, { from: agent.status, reason: agent.pauseReason });
    return getAgent(tx, agentId);
  });
}
