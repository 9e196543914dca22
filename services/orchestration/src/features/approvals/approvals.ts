import type { Reader } from '@switchyard/db';
import { type Answer, notFound } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
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

export async function listApprovalIssues(scope: Scope, approvalId: string) {
  const rows = await scope.db.prisma.issue.findMany({
    where: { companyId: scope.companyId, approvals: { some: { approvalId } } },
    omit: { description: true },
    orderBy: [{ priorityRank: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(presentIssueSummary);
}
