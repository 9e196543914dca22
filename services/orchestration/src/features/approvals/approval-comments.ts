import { inTransaction, newId } from '@switchyard/db';
import type { Answer } from '@switchyard/server';
import type { ApprovalCommentView } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import { newestCursor, newestFirst, page } from '../../page';
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

export async function listApprovalComments(
  scope: Scope,
  approvalId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const where = { approvalId, companyId: scope.companyId, ...after };
  const rows = await scope.db.prisma.approvalComment.findMany({ where, orderBy, take });
  return page(rows, query.limit, presentApprovalComment, newestCursor);
}
