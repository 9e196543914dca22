import type { IssueCommentModel } from '@switchyard/db';
import type { CommentView, MentionOutcome } from '@switchyard/types';

export function presentComment(row: IssueCommentModel): CommentView {
  return {
    id: row.id,
    issueId: row.issueId,
    body: row.body,
    authorAgentId: row.authorAgentId,
    authorUserId: row.authorUserId,
    createdByRunId: row.createdByRunId,
    createdAt: row.createdAt.toISOString(),
    mentions: row.mentions as MentionOutcome[],
  };
}
