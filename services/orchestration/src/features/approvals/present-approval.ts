import type { ApprovalCommentModel, ApprovalModel } from '@switchyard/db';
import type { ApprovalCommentView, ApprovalView } from '@switchyard/types';

export function presentApprovalSummary(row: Omit<ApprovalModel, 'payload'>) {
  return {
    id: row.id,
    companyId: row.companyId,
    type: row.type as ApprovalView['type'],
    status: row.status as ApprovalView['status'],
    requestedByAgentId: row.requestedByAgentId,
    requestedByUserId: row.requestedByUserId,
    decidedByUserId: row.decidedByUserId,
    decisionNote: row.decisionNote,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentApproval(row: ApprovalModel): ApprovalView {
  return { ...presentApprovalSummary(row), payload: row.payload as Record<string, unknown> };
}

export function presentApprovalComment(row: ApprovalCommentModel): ApprovalCommentView {
  return {
    id: row.id,
    approvalId: row.approvalId,
    body: row.body,
    authorAgentId: row.authorAgentId,
    authorUserId: row.authorUserId,
    createdAt: row.createdAt.toISOString(),
  };
}
