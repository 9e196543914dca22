import { type ApprovalCommentModel, newId } from '@switchyard/db';
import { createdBy } from '../../access/actor';
import type { Tx } from '../../call';

export async function insertApprovalComment(
  tx: Tx,
  approvalId: string,
  body: string,
): Promise<ApprovalCommentModel> {
  const { createdByAgentId: authorAgentId, createdByUserId: authorUserId } = createdBy(tx);
  const { companyId } = tx;
  const data = { id: newId(), companyId, approvalId, body, authorAgentId, authorUserId };
  const comment = await tx.prisma.approvalComment.create({ data });
  await tx.record('approval.commented', approvalId, { commentId: comment.id });
  return comment;
}
