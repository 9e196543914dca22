import type { ApprovalModel } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';

export async function getApproval(call: Call, approvalId: string): Promise<ApprovalView> {
  const approval = await call.db.prisma.approval.findUnique({ where: { id: approvalId } });
  if (!approval) throw notFound('approval');
  return presentApproval(approval);
}

export async function listApprovals(
  call: Call,
  query: { limit: number; cursor?: string | undefined; status?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await call.db.prisma.approval.findMany({
    where: { companyId: call.companyId, ...(query.status && { status: query.status }), ...after },
    omit: { payload: true },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentApprovalSummary, newestCursor);
}

/** Those that an issue is a subject of. */
export async function listIssueApprovals(
  call: Call,
  issueId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await call.db.prisma.approval.findMany({
    where: { companyId: call.companyId, issues: { some: { issueId } }, ...after },
    omit: { payload: true },
    orderBy,
    take,
  });
  return page(rows, query.limit, presentApprovalSummary, newestCursor);
}

export function presentApproval(row: ApprovalModel): ApprovalView {
  return { ...presentApprovalSummary(row), payload: row.payload as Record<string, unknown> };
}

function presentApprovalSummary(row: Omit<ApprovalModel, 'payload'>) {
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
