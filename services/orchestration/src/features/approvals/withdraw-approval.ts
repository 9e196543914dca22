import type { ApprovalView, WithdrawBody } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { decideDraft } from '../../state/agents/transitions';
import { withdraw } from '../../state/approvals/decisions';
import { alreadyDecided } from './already-decided';
import { getApproval } from './approvals';

export async function withdrawApproval(
  call: Call,
  approvalId: string,
  { reason = 'Withdrawn' }: WithdrawBody,
): Promise<ApprovalView> {
  return inTransaction(call, async (tx) => {
    const { requestedByAgentId, type, payload } = await getApproval(tx, approvalId);
    assertSelfOrBoard(tx, requestedByAgentId, ONLY_OWN);
    const draftId = type === 'hire_agent' ? String(payload.agentId) : null;
    if (draftId) await lockAgent(tx, draftId);
    const withdrawn = await withdraw(tx, approvalId, reason);
    if (withdrawn && draftId) await decideDraft(tx, draftId, 'rejected');
    const approval = await getApproval(tx, approvalId);
    if (!withdrawn) throw alreadyDecided(approval);
    return approval;
  });
}

const ONLY_OWN = 'only the requesting agent or the board may withdraw a request';
