import type { Transaction } from '@switchyard/db';
import type { AgentDetailView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAgent } from '../../state/agents/lock-agent';
import { haltRuns } from '../../state/runs/halt-runs';
import { getAgent } from './agents';
import { rejectHires } from './reject-hires';

/** Work in hand goes back to todo; nothing open stays with somebody who will never come back. */
async function freeIssues(tx: Transaction, agentId: string): Promise<void> {
  await tx.prisma.$executeRaw`
    UPDATE issue SET assignee_agent_id = NULL, checkout_run_id = NULL, checked_out_at = NULL,
      status = CASE status WHEN 'in_progress' THEN 'todo' ELSE status END, updated_at = now()
    WHERE assignee_agent_id = ${agentId}::uuid AND status NOT IN ('done', 'cancelled')`;
}

/** Recurring work stops with whoever did it, until the board gives it to somebody else. */
async function pauseRoutines(tx: Transaction, agentId: string): Promise<number> {
  await tx.prisma.$executeRaw`
    UPDATE routine_trigger t SET next_run_at = NULL, updated_at = now() FROM routine r
    WHERE r.id = t.routine_id AND r.assignee_agent_id = ${agentId}::uuid AND r.status = 'active'`;
  return tx.prisma.$executeRaw`
    UPDATE routine SET status = 'paused', updated_at = now()
    WHERE assignee_agent_id = ${agentId}::uuid AND status = 'active'`;
}

/** Irreversible (spec, "Agent"). Terminating what is terminated changes nothing. */
export async function terminateAgent(call: Call, agentId: string): Promise<AgentDetailView> {
  return inTransaction(call, async (tx) => {
    // A routine's row is locked before an agent's, as its firing does.
    await tx.prisma.$queryRaw`
      SELECT 1 FROM routine WHERE assignee_agent_id = ${agentId}::uuid ORDER BY id FOR NO KEY UPDATE`;
    const agent = await lockAgent(tx, agentId);
    if (agent.status === 'terminated') return getAgent(tx, agentId);
    await tx.prisma.agent.update({
      where: { id: agentId },
      data: { status: 'terminated', pauseReason: null, pausedAt: null },
    });
    await haltRuns(tx, [agentId], 'agent_terminated');
    await tx.prisma.agentKey.deleteMany({ where: { agentId } });
    await freeIssues(tx, agentId);
    await rejectHires(tx, agentId);
    const routinesPaused = await pauseRoutines(tx, agentId);
    await tx.record('agent.terminated', agentId, { name: agent.name, routinesPaused });
    return getAgent(tx, agentId);
  });
}
