import type { Prisma, Reader } from '@switchyard/db';
import { type Answer, notFound } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { type Cursor, decodeCursor, newestCursor, newestFirst, page } from '../../page';
import { presentIssueSummary } from '../issues/present-issue';
import { presentApproval, presentApprovalSummary } from './present-approval';

export async function getApproval(db: Reader, id: string): Promise<ApprovalView> {
  const approval = await db.approval.findUnique({ where: { id } });
  if (!approval) throw notFound('approval');
  return presentApproval(approval);
}

export async function listApprovals(
  scope: Scope,
  query: { limit: number; cursor?: string | undefined; status?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const rows = await scope.db.prisma.approval.findMany({
    where: { companyId: scope.companyId, ...(query.status && { status: query.status }), ...after },
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
  scope: Scope,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const cursor = decodeCursor(query.cursor, ['int', 'time', 'id']);
  const rows = await scope.db.prisma.issue.findMany({
    where: {
      companyId: scope.companyId,
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
