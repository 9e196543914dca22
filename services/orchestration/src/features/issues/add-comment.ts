import { newId, type Tx } from '@switchyard/db';
import type { CommentView } from '@switchyard/types';
import { createdBy, type Scope } from '../../access/actor';
import { recordActivity } from '../activity/record-activity';
import { presentComment } from './present-comment';

/** The one way a comment comes to be, alone or with an update of its issue. */
export async function addComment(
  tx: Tx,
  scope: Scope,
  issueId: string,
  body: string,
): Promise<CommentView> {
  const { companyId, actor, runId } = scope;
  const author = createdBy(scope);
  const comment = await tx.issueComment.create({
    data: {
      id: newId(),
      companyId,
      issueId,
      body,
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
