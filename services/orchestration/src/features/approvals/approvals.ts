import type { ApprovalModel, Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import type { Call } from '../../call';
import { type Cursor, decodeCursor, newestCursor, newestFirst, page } from '../../lists/page';
import { presentIssueSummary } from '../issues/present-issue';

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

/** In the order of every list of issues: by priority, then oldest first. */
export async function listApprovalIssues(
  call: Call,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const cursor = decodeCursor(query.cursor, ['int', 'time', 'id']);
  const rows = await call.db.prisma.issue.findMany({
    where: {
      companyId: call.companyId,
      approvals: { some: { approvalId } },
      ...(cursor && behind(cursor)),
    },
    omit: { description: true },
    orderBy: [{ priorityRank: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    take: query.limit + 1,
  });
  return page(rows, query.limit, presentIssueSummary, (row) => [
    row.priorityRank,
    row.createdAt.toISOString(),
    row.id,
  ]);
}

function behind(cursor: Cursor): Prisma.IssueWhereInput {
  const [priorityRank, time, id] = cursor as [number, string, string];
  const createdAt = new Date(time);
  return {
    OR: [
      { priorityRank: { gt: priorityRank } },
      { priorityRank, createdAt: { gt: createdAt } },
      { priorityRank, createdAt, id: { gt: id } },
    ],
  };
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
