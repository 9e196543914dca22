import { conflict } from '@switchyard/server';
import type { AgentDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { pauseAgent as pause } from '../../state/runs/pause-agent';
import { isEmployed } from '../../state/statuses/agent-status';
import { getAgent } from './agents';

export async function pauseAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  return inTransaction(call, async (tx) => {
    const agent = await lockAgent(tx, agentId);
    const { status } = agent;
    if (!isEmployed(status)) {
      throw conflict('conflict', `a ${status} agent cannot be paused`, { status });
    }
    const isPaused = status === 'paused' && agent.pauseReason === 'manual';
    if (!isPaused) await pause(tx, agent, 'manual');
    return getAgent(tx, agentId);
  });
}
