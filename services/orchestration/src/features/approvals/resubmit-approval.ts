import { conflict } from '@switchyard/server';
import type { ApprovalView, ResubmitBody } from '@switchyard/types';
import { assertMayResubmit } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { restartDeadline } from '../../state/approvals/deadlines';
import { lockApproval, resubmit } from '../../state/approvals/decisions';
import { maskConfig } from '../agents/configuration/mask-config';
import { assertNoQuestion } from './answer-question';
import { getApproval } from './approvals';
import { reviseDraft } from './revise-draft';

/**
 * Moves the approval from revision_requested through resubmitted to pending; only the activity
 * shows `resubmitted`. Its deadline and escalation start again.
 * @throws ApiError 403 for another agent's request, 409 without a requested revision, 422 for a
 * question
 */
export async function resubmitApproval(
  call: Call,
  approvalId: string,
  { payload }: ResubmitBody,
): Promise<ApprovalView> {
  return inTransaction(call, async (tx) => {
    const { hiredAgentId } = await tx.prisma.approval.findUniqueOrThrow({
      where: { id: approvalId },
      select: { hiredAgentId: true },
    });
    if (hiredAgentId) await lockAgent(tx, hiredAgentId);
    await lockApproval(tx, approvalId);
    const before = await getApproval(tx, approvalId);
    assertMayResubmit(tx, before.requestedByAgentId);
    assertNoQuestion(before.type, 'resubmitted');
    const { status } = before;
    if (status !== 'revision_requested') {
      const message = `the approval is ${status}; only one with status revision_requested can be resubmitted`;
      throw conflict('conflict', message, { status, retry: false });
    }
    if (payload && hiredAgentId) await reviseDraft(tx, hiredAgentId, payload);
    await resubmit(tx, before, payload ? storedPayload(payload, hiredAgentId) : null);
    await restartDeadline(tx, approvalId);
    return getApproval(tx, approvalId);
  });
}

function storedPayload(payload: Record<string, unknown>, hiredAgentId: string | null) {
  if (!hiredAgentId) return payload;
  const config = payload.adapterConfig as Record<string, unknown> | undefined;
  const shown = config && { adapterConfig: maskConfig(config, null) };
  return { ...payload, ...shown, agentId: hiredAgentId };
}
