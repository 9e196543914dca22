import type { Prisma } from '@switchyard/db';
import { conflict, forbidden } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAgent } from '../../state/agents/lock-agent';
import { maskConfig } from '../agents/configuration/mask-config';
import { getApproval } from './approvals';
import { reviseDraft } from './revise-draft';

/** A hire's payload names its draft and, like every stored request, shows no literal of its env. */
function storedPayload(payload: Record<string, unknown>, hiredAgentId: string | null) {
  if (!hiredAgentId) return payload;
  const config = payload.adapterConfig as Record<string, unknown> | undefined;
  const shown = config && { adapterConfig: maskConfig(config) };
  return { ...payload, ...shown, agentId: hiredAgentId };
}

/**
 * Sends a revised request back to the board: revision_requested → resubmitted → pending, the middle of
 * which stands in the activity (contract, "Approval"). The activity keeps the payload that was replaced.
 * @throws ApiError 403 when another agent asked for it, 409 when no revision was requested
 */
export async function resubmitApproval(
  call: Call,
  approvalId: string,
  payload: Record<string, unknown> | undefined,
): Promise<ApprovalView> {
  const { actor } = call;
  return inTransaction(call, async (tx) => {
    const { hiredAgentId } = await tx.prisma.approval.findUniqueOrThrow({
      where: { id: approvalId },
    });
    if (hiredAgentId) await lockAgent(tx, hiredAgentId);
    await tx.prisma
      .$queryRaw`SELECT 1 FROM approval WHERE id = ${approvalId}::uuid FOR NO KEY UPDATE`;
    const before = await tx.prisma.approval.findUniqueOrThrow({ where: { id: approvalId } });
    if (actor.type === 'agent' && before.requestedByAgentId !== actor.agentId) {
      throw forbidden('not_own', 'only the agent that asked, or the board, may resubmit');
    }
    if (before.status !== 'revision_requested') {
      throw conflict('conflict', `no revision was requested: the approval is ${before.status}`, {
        status: before.status,
        retry: false,
      });
    }
    const old = before.payload as Record<string, unknown>;
    if (payload && hiredAgentId) await reviseDraft(tx, hiredAgentId, payload);
    const next = payload ? storedPayload(payload, hiredAgentId) : old;
    await tx.prisma.approval.update({
      where: { id: approvalId },
      data: { status: 'pending', payload: next as Prisma.InputJsonObject },
    });
    await tx.record('approval.resubmitted', approvalId, {
      type: before.type,
      replacedPayload: payload ? old : null,
    });
    return getApproval(tx, approvalId);
  });
}
