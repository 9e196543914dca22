import { newId, type Prisma } from '@switchyard/db';
import type { CommentView } from '@switchyard/types';
import { createdBy } from '../../access/actor';
import type { Tx } from '../../call';
import type { CommentText } from '../mentions/read-comment-text';
import { wakeMentioned } from '../mentions/wake-mentioned';
import { presentComment } from './present-comment';

/**
 * The one way a comment comes to be, alone or with an update of its issue. Wakes whom it mentions; the
 * outcome of each mention is stored with it and answered (guarantee G12).
 */
export async function addComment(tx: Tx, issueId: string, text: CommentText): Promise<CommentView> {
  const { companyId, runId } = tx;
  const author = createdBy(tx);
  const id = newId();
  const mentions = await wakeMentioned(tx, { id, issueId, text });
  const comment = await tx.prisma.issueComment.create({
    data: {
      id,
      companyId,
      issueId,
      body: text.body,
      mentions: mentions as Prisma.InputJsonArray,
      authorAgentId: author.createdByAgentId,
      authorUserId: author.createdByUserId,
      createdByRunId: runId,
    },
  });
  await tx.record('issue.commented', issueId, { commentId: comment.id });
  return presentComment(comment);
}
