import { conflict } from '@switchyard/server';
import type { AgentDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAgent } from '../../state/agents/lock-agent';
import { haltRuns } from '../../state/runs/halt-runs';
import { getAgent } from './agents';

/** @throws ApiError 409 for a terminated agent or a draft that waits for approval */
export async function pauseAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  return inTransaction(call, async (tx) => {
    const agent = await lockAgent(tx, agentId);
    if (agent.status === 'terminated' || agent.status === 'pending_approval') {
      throw conflict('conflict', `a ${agent.status} agent cannot be paused`, {
        status: agent.status,
      });
    }
    if (agent.status === 'paused' && agent.pauseReason === 'manual') return getAgent(tx, agentId);
    // The clock is read after the lock was taken, so every earlier start lies before `paused_at`.
    await tx.prisma.$executeRaw`
      UPDATE agent SET status = 'paused', pause_reason = 'manual', paused_at = clock_timestamp(),
        updated_at = now() WHERE id = ${agentId}::uuid`;
    await haltRuns(tx, [agentId], 'agent_paused');
    await tx.record('agent.paused', agentId, { reason: 'manual' });
    return getAgent(tx, agentId);
  });
}
