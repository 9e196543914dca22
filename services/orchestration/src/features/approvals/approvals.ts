import type { Database, Prisma } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import type { Call } from '../../call';
import { type Cursor, decodeCursor, newestCursor, newestFirst, page } from '../../lists/page';
import { presentIssueSummary } from '../issues/present-issue';
import { presentApproval, presentApprovalSummary } from './present-approval';

export async function getApproval(db: Database, id: string): Promise<ApprovalView> {
  const approval = await db.prisma.approval.findUnique({ where: { id } });
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

/** What stands behind a cursor in the order of every list of issues: by priority, then oldest first. */
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
