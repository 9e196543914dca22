import { inTransaction, newId, Prisma } from '@switchyard/db';
import type { Answer } from '@switchyard/server';
import type { ApprovalCommentView } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import { NEWEST_FIRST, newestCursor, pageOf } from '../../page';
import { newestWithinBytes } from '../../page-bytes';
import { recordActivity } from '../activity/record-activity';
import { presentApprovalComment } from './present-approval';

export async function createApprovalComment(
  scope: Scope,
  approvalId: string,
  body: string,
): Promise<ApprovalCommentView> {
  const { companyId, actor, runId } = scope;
  const author = createdBy(scope);
  return inTransaction(scope.db, async (tx) => {
    const comment = await tx.approvalComment.create({
      data: {
        id: newId(),
        companyId,
        approvalId,
        body,
        authorAgentId: author.createdByAgentId,
        authorUserId: author.createdByUserId,
      },
    });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'approval.commented',
      entityType: 'approval',
      entityId: approvalId,
      details: { commentId: comment.id },
    });
    return presentApprovalComment(comment);
  });
}

/** Newest first; a page may be shorter than `limit`, and `X-Next-Cursor` says whether more follows. */
export async function listApprovalComments(
  scope: Scope,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { prisma } = scope.db;
  const large = {
    table: Prisma.sql`approval_comment`,
    where: Prisma.sql`approval_id = ${approvalId}::uuid AND company_id = ${scope.companyId}::uuid`,
    bytes: Prisma.sql`octet_length(body)`,
  };
  const { ids, hasMore } = await newestWithinBytes(prisma, large, query);
  const where = { id: { in: ids } };
  const rows = await prisma.approvalComment.findMany({ where, orderBy: NEWEST_FIRST });
  return pageOf(rows, query.limit, hasMore, presentApprovalComment, newestCursor);
}
