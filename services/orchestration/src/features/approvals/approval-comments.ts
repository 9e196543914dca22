import { newId, Prisma } from '@switchyard/db';
import type { ApprovalCommentView } from '@switchyard/types';
import { createdBy } from '../../access/actor';
import { type Call, inTransaction } from '../../call';
import { NEWEST_FIRST, newestCursor, pageOf } from '../../lists/page';
import { newestWithinBytes } from '../../lists/page-bytes';
import { presentApprovalComment } from './present-approval';

export async function createApprovalComment(
  call: Call,
  approvalId: string,
  body: string,
): Promise<ApprovalCommentView> {
  const { companyId } = call;
  const author = createdBy(call);
  return inTransaction(call, async (tx) => {
    const comment = await tx.prisma.approvalComment.create({
      data: {
        id: newId(),
        companyId,
        approvalId,
        body,
        authorAgentId: author.createdByAgentId,
        authorUserId: author.createdByUserId,
      },
    });
    await tx.record('approval.commented', approvalId, { commentId: comment.id });
    return presentApprovalComment(comment);
  });
}

/** Newest first; a page may be shorter than `limit`, and `X-Next-Cursor` says whether more follows. */
export async function listApprovalComments(
  call: Call,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { prisma } = call.db;
  const large = {
    table: Prisma.sql`approval_comment`,
    where: Prisma.sql`approval_id = ${approvalId}::uuid AND company_id = ${call.companyId}::uuid`,
    bytes: Prisma.sql`octet_length(body)`,
  };
  const { ids, hasMore } = await newestWithinBytes(call.db, large, query);
  const where = { id: { in: ids } };
  const rows = await prisma.approvalComment.findMany({ where, orderBy: NEWEST_FIRST });
  return pageOf(rows, query.limit, hasMore, presentApprovalComment, newestCursor);
}
