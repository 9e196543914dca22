import { newId, type Prisma, type Tx } from '@switchyard/db';
import type { CommentView } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import type { CommentText } from '../mentions/read-comment-text';
import { wakeMentioned } from '../mentions/wake-mentioned';
import { presentComment } from './present-comment';

/**
 * The one way a comment comes to be, alone or with an update of its issue. Wakes whom it mentions; the
 * outcome of each mention is stored with it and answered (guarantee G12).
 */
export async function addComment(
  effects: Pick<Effects, 'config' | 'hints' | 'metrics'>,
  tx: Tx,
  scope: Scope,
  issueId: string,
  text: CommentText,
): Promise<CommentView> {
  const { companyId, actor, runId } = scope;
  const author = createdBy(scope);
  const id = newId();
  const mentions = await wakeMentioned(effects, tx, scope, { id, issueId, text });
  const comment = await tx.issueComment.create({
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
  await recordActivity(tx, {
    companyId,
    actor,
    runId,
    action: 'issue.commented',
    entityType: 'issue',
    entityId: issueId,
    details: { commentId: comment.id },
  });
  return presentComment(comment);
}
