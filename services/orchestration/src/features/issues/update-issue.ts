import { inTransaction } from '@switchyard/db';
import {
  type CommentView,
  ISSUE_PRIORITIES,
  type IssueView,
  type UpdateIssueBody,
} from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { assertNoCycle } from '../../hierarchy';
import { recordActivity } from '../activity/record-activity';
import { addComment } from './add-comment';
import { lockIssue } from './lock-issue';
import { presentIssue } from './present-issue';
import { statusChange } from './status-change';

/** @throws Refusal 409 and 422 as `statusChange` says, 422 `cycle` */
export async function updateIssue(
  scope: Scope,
  issueId: string,
  body: UpdateIssueBody,
): Promise<IssueView & { comment?: CommentView }> {
  const { companyId, actor, runId } = scope;
  const { comment: text, status, ...fields } = body;
  return inTransaction(scope.db, async (tx) => {
    const { issue, runIsLive } = await lockIssue(tx, issueId, runId);
    if (fields.parentId) await assertNoCycle(tx, 'issue', companyId, issueId, fields.parentId);
    const columns = status ? statusChange(scope, issue, status, runIsLive) : {};
    const rank = fields.priority && { priorityRank: ISSUE_PRIORITIES.indexOf(fields.priority) };
    const { holder: _, ...before } = issue;
    const data = { ...fields, ...rank, ...columns };
    const changed = (Object.keys(data) as (keyof typeof data)[]).filter(
      (key) => data[key] !== before[key] && key !== 'priorityRank',
    );
    const after =
      changed.length > 0 ? await tx.issue.update({ where: { id: issueId }, data }) : before;
    if (changed.length > 0) {
      await recordActivity(tx, {
        companyId,
        actor,
        runId,
        action: 'issue.updated',
        entityType: 'issue',
        entityId: issueId,
        details: { changed, ...(columns.status && { from: before.status, to: columns.status }) },
      });
    }
    const comment = text === undefined ? undefined : await addComment(tx, scope, issueId, text);
    return { ...presentIssue(after), ...(comment && { comment }) };
  });
}
