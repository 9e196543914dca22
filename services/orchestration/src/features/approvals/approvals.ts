import type { Database } from '@switchyard/db';
import { notFound } from '@switchyard/server';
import type { ApprovalView } from '@switchyard/types';
import type { Call } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';
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
