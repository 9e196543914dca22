import { newId } from '@switchyard/db';
import type { Tx } from '../../call';

const NOTE = 'the agent was terminated';
/** What was hinted so long ago, the very next sweep hints again. */
const LONG_AGO = new Date(0);

/**
 * Rejects what would still decide on a draft that is gone: each request once, recorded, and its requester
 * woken as by every decision (contract, "Hire"). The caller holds the draft's lock, as every decision does.
 * The wake is left to the sweep to hint, because this feature stands below the one that hints.
 */
export async function rejectHires(tx: Tx, agentId: string): Promise<void> {
  const { companyId, actor } = tx;
  const rejected = await tx.prisma.approval.updateManyAndReturn({
    where: { hiredAgentId: agentId, companyId, status: { in: ['pending', 'revision_requested'] } },
    data: {
      status: 'rejected',
      decisionNote: NOTE,
      decidedByUserId: actor.type === 'board' ? actor.userId : null,
      decidedAt: new Date(),
    },
    select: { id: true, type: true, requestedByAgentId: true },
  });
  for (const { id, type, requestedByAgentId } of rejected) {
    await tx.record('approval.rejected', id, {
      type,
      hiredAgentId: agentId,
      reason: 'agent_terminated',
    });
    if (!requestedByAgentId) continue;
    await tx.prisma.agentWakeup.create({
      data: {
        id: newId(),
        companyId,
        agentId: requestedByAgentId,
        source: 'approval',
        reason: 'approval_rejected',
        hintedAt: LONG_AGO,
        payload: { approvalId: id, type, decision: 'rejected', decisionNote: NOTE },
      },
      select: { id: true },
    });
  }
}
