import { type ApprovalCommentModel, Prisma } from '@switchyard/db';
import type { ApprovalCommentView, CreateApprovalCommentBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { NEWEST_FIRST, newestCursor, pageOf } from '../../lists/page';
import { newestWithinBytes } from '../../lists/page-bytes';
import { insertApprovalComment } from '../../state/approvals/insert-comment';

export async function createApprovalComment(
  call: Call,
  approvalId: string,
  { body }: CreateApprovalCommentBody,
): Promise<ApprovalCommentView> {
  return inTransaction(call, async (tx) =>
    presentApprovalComment(await insertApprovalComment(tx, approvalId, body)),
  );
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

function presentApprovalComment(row: ApprovalCommentModel): ApprovalCommentView {
  return {
    id: row.id,
    approvalId: row.approvalId,
    body: row.body,
    authorAgentId: row.authorAgentId,
    authorUserId: row.authorUserId,
    createdAt: row.createdAt.toISOString(),
  };
}
