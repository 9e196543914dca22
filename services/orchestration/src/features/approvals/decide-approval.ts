import { conflict } from '@switchyard/server';
import type { ApprovalView, DecisionBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAgent } from '../../state/agents/lock-agent';
import { decideDraft } from '../../state/agents/transitions';
import { type Decision, decide } from '../../state/approvals/decisions';
import { assertNoQuestion } from './answer-question';
import { getApproval } from './approvals';

/**
 * Decides on a pending approval (spec, "States, Approval"). The draft and the wake of the agent that asked commit with the
 * decision, so they happen exactly once.
 * @throws ApiError 422 for approving or revising a question, 409 `not_pending` with the status it has
 */
export async function decideApproval(
  call: Call,
  approvalId: string,
  decision: Decision,
  { decisionNote = null }: DecisionBody,
): Promise<ApprovalView> {
  return inTransaction(call, async (tx) => {
    const { hiredAgentId, type } = await tx.prisma.approval.findUniqueOrThrow({
      where: { id: approvalId },
      select: { hiredAgentId: true, type: true },
    });
    if (decision !== 'rejected') assertNoQuestion(type, REFUSED[decision]);
    if (hiredAgentId) await lockAgent(tx, hiredAgentId);
    const decided = await decide(tx, approvalId, decision, decisionNote);
    const approval = await getApproval(tx, approvalId);
    if (!decided) {
      const { status } = approval;
      throw conflict('not_pending', `the approval is ${status}`, { status, retry: false });
    }
    const isFinal = decision !== 'revision_requested';
    if (hiredAgentId && isFinal) await decideDraft(tx, hiredAgentId, decision);
    return approval;
  });
}

const REFUSED = { approved: 'approved', revision_requested: 'sent back to be revised' };
