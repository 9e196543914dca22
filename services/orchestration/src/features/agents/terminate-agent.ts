import type { AgentDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { writeTermination } from '../../state/agents/transitions';
import { rejectHires } from '../../state/approvals/decisions';
import { unassignIssuesOf } from '../../state/issues/unassign-issues';
import { lockRoutinesOf, pauseRoutinesOf } from '../../state/routines/pause-routines';
import { haltRuns } from '../../state/runs/halt-runs';
import { getAgent } from './agents';

export async function terminateAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  return inTransaction(call, async (tx) => {
    await lockRoutinesOf(tx, agentId);
    const agent = await lockAgent(tx, agentId);
    if (agent.status === 'terminated') return getAgent(tx, agentId);
    const routinesPaused = await pauseRoutinesOf(tx, agentId);
    await writeTermination(tx, agentId);
    await haltRuns(tx, [agentId], 'agent_terminated');
    await tx.record('agent.terminated', agentId, { name: agent.name, routinesPaused });
    await unassignIssuesOf(tx, agentId);
    await rejectHires(tx, agentId);
    return getAgent(tx, agentId);
  });
}
