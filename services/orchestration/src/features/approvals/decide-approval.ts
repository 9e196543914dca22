import type { ApprovalModel, Transaction } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAgent } from '../../state/agents/lock-agent';
import { recordWakeups } from '../../state/wakeups/record-wakeups';
import { getApproval } from './approvals';

export type Decision = 'approved' | 'rejected' | 'revision_requested';

/** What a decision makes of the draft that a hire waits with; a draft that is gone stays gone. */
const DRAFT_BECOMES = { approved: 'idle', rejected: 'terminated' } as const;

async function settleDraft(
  tx: Transaction,
  approval: ApprovalModel,
  decision: Decision,
): Promise<void> {
  if (decision === 'revision_requested' || !approval.hiredAgentId) return;
  await tx.prisma.agent.updateMany({
    where: { id: approval.hiredAgentId, status: 'pending_approval' },
    data: { status: DRAFT_BECOMES[decision] },
  });
}

/**
 * Decides on a pending approval (spec, "States, Approval"). One conditional update decides between any
 * number of deciders; the draft and the requester's wake commit with it, so they happen exactly once.
 * @throws ApiError 409 `not_pending` with the status it has
 */
export async function decideApproval(
  call: Call,
  approvalId: string,
  decision: Decision,
  decisionNote: string | null,
): Promise<ApprovalView> {
  const { actor } = call;
  return inTransaction(call, async (tx) => {
    const approval = await tx.prisma.approval.findUniqueOrThrow({ where: { id: approvalId } });
    if (approval.hiredAgentId) await lockAgent(tx, approval.hiredAgentId);
    const decided = decision !== 'revision_requested';
    const { count } = await tx.prisma.approval.updateMany({
      where: { id: approvalId, status: 'pending' },
      data: {
        status: decision,
        decisionNote,
        decidedByUserId: actor.type === 'board' ? actor.userId : null,
        decidedAt: decided ? new Date() : null,
      },
    });
    if (count === 0) {
      const { status } = await tx.prisma.approval.findUniqueOrThrow({ where: { id: approvalId } });
      throw conflict('not_pending', `the approval is ${status}`, { status, retry: false });
    }
    await settleDraft(tx, approval, decision);
    await tx.record(`approval.${decision}`, approvalId, {
      type: approval.type,
      hiredAgentId: approval.hiredAgentId,
    });
    await recordWakeups(tx, {
      agentIds: approval.requestedByAgentId ? [approval.requestedByAgentId] : [],
      source: 'approval',
      reason: `approval_${decision}`,
      issueId: null,
      payload: { approvalId, type: approval.type, decision, decisionNote },
    });
    return getApproval(tx, approvalId);
  });
}
