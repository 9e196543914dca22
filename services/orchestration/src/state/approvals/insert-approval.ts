import { type ApprovalModel, newId, type Prisma } from '@switchyard/db';
import type { Tx } from '../../call';
import { assertTextFits } from '../companies/text-quota';

export interface NewApproval {
  type: string;
  payload: Record<string, unknown>;
  requestedByAgentId: string | null;
  hiredAgentId?: string;
  issueIds: string[];
}

/** Writes a pending approval with its linked issues. @throws ApiError 409 `storage_full` */
export async function insertApproval(tx: Tx, request: NewApproval): Promise<ApprovalModel> {
  const { companyId, actor } = tx;
  const { issueIds, payload, ...fields } = request;
  const approval = await tx.prisma.approval.create({
    data: {
      ...fields,
      id: newId(),
      companyId,
      payload: payload as Prisma.InputJsonObject,
      requestedByUserId: actor.type === 'board' ? actor.userId : null,
    },
  });
  await assertTextFits(tx);
  const links = [...new Set(issueIds)].map((issueId) => ({
    companyId,
    approvalId: approval.id,
    issueId,
  }));
  await tx.prisma.approvalIssue.createMany({ data: links });
  await tx.record('approval.created', approval.id, {
    type: approval.type,
    requestedByAgentId: approval.requestedByAgentId,
  });
  return approval;
}
