import { unprocessable } from '@switchyard/server';
import type { CreateIssueBody, IssueView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { wakeAssignee } from '../../state/issues/assignees';
import { insertIssue } from '../../state/issues/insert-issue';
import { presentIssue } from './present-issue';

/**
 * @throws ApiError 422 when it is created in progress (claiming is done by checkout), or for an assignee
 * that is terminated or waits for approval
 */
export async function createIssue(call: Call, body: CreateIssueBody): Promise<IssueView> {
  if (body.status === 'in_progress') {
    throw unprocessable('invalid_transition', 'an issue enters in_progress by checkout', {
      from: null,
      to: 'in_progress',
      allowed: ['backlog', 'todo', 'in_review', 'blocked', 'done', 'cancelled'],
    });
  }
  return inTransaction(call, async (tx) => {
    const { issue, assignee } = await insertIssue(tx, body);
    if (assignee) await wakeAssignee(tx, issue, assignee);
    return presentIssue(issue);
  });
}
