import {
  type CommentView,
  ISSUE_PRIORITIES,
  type IssueView,
  type UpdateIssueBody,
} from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { assertNoCycle } from '../../state/hierarchy';
import { assertAssignable, lockAssignee, wakeAssignee } from '../../state/issues/assignees';
import { lockIssue } from '../../state/issues/lock-issue';
import { settleRoutineRun } from '../../state/routines/settle-routine-run';
import { readCommentText } from '../mentions/read-comment-text';
import { addComment } from './add-comment';
import { presentIssue } from './present-issue';
import { assertNotHeldByOther, statusChange } from './status-change';

/**
 * @throws ApiError 409 and 422 as `statusChange` says, 409 for another's work in progress, 422 `cycle`, 422 for a new assignee that is
 * terminated or waits for approval
 */
export async function updateIssue(
  call: Call,
  issueId: string,
  body: UpdateIssueBody,
): Promise<IssueView & { comment?: CommentView }> {
  const { companyId, runId } = call;
  const { comment: written, status, ...fields } = body;
  const text = written === undefined ? null : await readCommentText(written);
  return inTransaction(call, async (tx) => {
    const assignee = await lockAssignee(tx, companyId, fields.assigneeAgentId);
    const { issue, runIsLive } = await lockIssue(tx, issueId, runId);
    if (fields.parentId) await assertNoCycle(tx, 'issue', companyId, issueId, fields.parentId);
    const { assigneeAgentId } = fields;
    const reassigns = assigneeAgentId !== undefined && assigneeAgentId !== issue.assigneeAgentId;
    if (reassigns) assertNotHeldByOther(call, issue);
    const columns = status ? statusChange(call, issue, status, runIsLive) : {};
    const rank = fields.priority && { priorityRank: ISSUE_PRIORITIES.indexOf(fields.priority) };
    const { holder: _, ...before } = issue;
    const data = { ...fields, ...rank, ...columns };
    const changed = (Object.keys(data) as (keyof typeof data)[]).filter(
      (key) => data[key] !== before[key] && key !== 'priorityRank',
    );
    const given = assignee?.id === before.assigneeAgentId ? null : assignee;
    if (given) assertAssignable(given);
    const after =
      changed.length > 0 ? await tx.prisma.issue.update({ where: { id: issueId }, data }) : before;
    if (changed.length > 0) {
      await tx.record('issue.updated', issueId, {
        changed,
        ...(columns.status && { from: before.status, to: columns.status }),
      });
    }
    if (columns.status) await settleRoutineRun(tx, after);
    if (given) await wakeAssignee(tx, after, given);
    const comment = text ? await addComment(tx, issueId, text) : undefined;
    return { ...presentIssue(after), ...(comment && { comment }) };
  });
}
