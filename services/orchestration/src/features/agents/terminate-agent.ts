import type { AgentDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { terminateAgent as terminate } from '../../state/agents/transitions';
import { rejectHires } from '../../state/approvals/decisions';
import { unassignIssuesOf } from '../../state/issues/release-locks';
import { lockRoutinesOf, pauseRoutinesOf } from '../../state/routines/pause-routines';
import { getAgent } from './agents';

/** Irreversible (spec, "Agent"); idempotent. */
export async function terminateAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  return inTransaction(call, async (tx) => {
    await lockRoutinesOf(tx, agentId);
    const agent = await lockAgent(tx, agentId);
    if (agent.status === 'terminated') return getAgent(tx, agentId);
    const routinesPaused = await pauseRoutinesOf(tx, agentId);
    await terminate(tx, agent, { routinesPaused });
    await unassignIssuesOf(tx, agentId);
    await rejectHires(tx, agentId);
    return getAgent(tx, agentId);
  });
}
