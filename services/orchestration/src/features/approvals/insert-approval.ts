import { type ApprovalModel, newId, type Prisma, type Tx } from '@switchyard/db';
import type { Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';

interface NewApproval {
  type: string;
  payload: Record<string, unknown>;
  requestedByAgentId: string | null;
  hiredAgentId?: string;
  issueIds: string[];
}

/** Writes a pending approval with its linked issues. */
export async function insertApproval(
  tx: Tx,
  scope: Scope,
  request: NewApproval,
): Promise<ApprovalModel> {
  const { companyId, actor, runId } = scope;
  const { issueIds, payload, ...fields } = request;
  const approval = await tx.approval.create({
    data: {
      ...fields,
      id: newId(),
      companyId,
      payload: payload as Prisma.InputJsonObject,
      requestedByUserId: actor.type === 'board' ? actor.userId : null,
    },
  });
  const links = [...new Set(issueIds)].map((issueId) => ({
    companyId,
    approvalId: approval.id,
    issueId,
  }));
  await tx.approvalIssue.createMany({ data: links });
  await recordActivity(tx, {
    companyId,
    actor,
    runId,
    action: 'approval.created',
    entityType: 'approval',
    entityId: approval.id,
    details: { type: approval.type, requestedByAgentId: approval.requestedByAgentId },
  });
  return approval;
}
