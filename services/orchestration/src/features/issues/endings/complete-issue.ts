import { unprocessable } from '@switchyard/server';
import type { EndIssueBody, IssueStatus, UpdatedIssueView } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../../kernel/call';
import { changeIssue } from '../../../state/issues/change-issue';
import type { IssueRow } from '../../../state/issues/issue-columns';
import { lockIssue } from '../../../state/issues/lock-issue';
import { settleRoutineRun } from '../../../state/routines/end-firing';
import { stepsTo } from '../../../state/statuses/issue-status';
import { readCommentText } from '../../mentions/read-comment-text';
import { addComment } from '../add-comment';
import { presentIssue } from '../present-issue';
import { UNLOCKED } from '../status-change';

/**
 * Moves an issue to done in one recorded step. Keeps the assignee and releases the lock; a run on
 * the issue continues.
 * @throws ApiError 422 for a cancelled issue
 */
export async function completeIssue(
  call: Call,
  issueId: string,
  { comment }: EndIssueBody,
): Promise<UpdatedIssueView> {
  const text = comment === undefined ? null : await readCommentText(comment);
  return inTransaction(call, async (tx) => {
    const { issue } = await lockIssue(tx, issueId, { agentId: null, runId: null });
    const done = issue.status === 'done' ? issue : await complete(tx, issue);
    const view = { ...presentIssue(done), woken: [] };
    return text ? { ...view, comment: await addComment(tx, issueId, text) } : view;
  });
}

async function complete(tx: Tx, issue: IssueRow): Promise<IssueRow> {
  const from = issue.status as IssueStatus;
  if (from === 'cancelled') {
    const message =
      'a cancelled issue cannot be completed: reopen it first with POST /api/issues/{issueId}/reopen';
    throw unprocessable('invalid_transition', message, { from, to: 'done', allowed: [] });
  }
  const steps = stepsTo(from, 'done').map(({ to }) => to);
  const change = {
    status: 'done',
    completedAt: 'now',
    ...(issue.started_at === null && { startedAt: 'now' }),
    ...UNLOCKED,
  } as const;
  const record = { action: 'issue.completed', details: { from, to: 'done', steps } } as const;
  const done = await changeIssue(tx, issue.id, change, record);
  await settleRoutineRun(tx, done);
  return done;
}
