import { conflict } from '@switchyard/server';
import type { AgentDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { resumeAgent as resume } from '../../state/agents/transitions';
import { isEmployed } from '../../state/statuses/agent-status';
import { getAgent } from './agents';

/**
 * Runs that the pause cancelled stay cancelled.
 * @throws ApiError 409 for a terminated agent, an unapproved draft, or a spent budget
 */
export async function resumeAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  return inTransaction(call, async (tx) => {
    const agent = await lockAgent(tx, agentId);
    const { status } = agent;
    if (!isEmployed(status)) {
      throw conflict('conflict', `a ${status} agent cannot be resumed`, { status });
    }
    if (status !== 'paused' && status !== 'error') return getAgent(tx, agentId);
    if (agent.agentBudgetSpent) {
      const details = { status, reason: 'agent_budget', retry: false };
      throw conflict(
        'conflict',
        'the budget for this month is spent; raise it, then resume the agent',
        details,
      );
    }
    await resume(tx, agent);
    return getAgent(tx, agentId);
  });
}
