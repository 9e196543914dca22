import { unprocessable } from '@switchyard/server';
import type { CreateIssueBody, IssueView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockAssignee, wakeAssignee } from '../../state/issues/assignees';
import { insertIssue, insertQuietIssue } from '../../state/issues/insert-issue';
import { INITIAL } from '../../state/issues/issue-status';
import { labelIssue } from '../../state/labels/label-issue';
import { presentIssue } from './present-issue';
import { writtenLabels } from './written-labels';

/**
 * @throws ApiError 422 when it is created in progress (claiming is done by checkout), or for an assignee
 * that is terminated or waits for approval
 */
export async function createIssue(call: Call, body: CreateIssueBody): Promise<IssueView> {
  if (body.status && !INITIAL.includes(body.status)) {
    throw unprocessable('invalid_transition', 'an issue enters in_progress by checkout', {
      from: null,
      to: body.status,
      allowed: INITIAL,
    });
  }
  const written = writtenLabels(body.labels ?? []);
  const quiet = written.length === 0 ? await insertQuietIssue(call, body) : null;
  if (quiet) return presentIssue(quiet);
  return inTransaction(call, async (tx) => {
    const { issue } = await insertIssue(tx, body);
    const assignee = await lockAssignee(tx, tx.companyId, issue.assigneeAgentId);
    if (assignee) await wakeAssignee(tx, issue, assignee);
    const { labels } = await labelIssue(tx, issue.id, written);
    return presentIssue({ ...issue, labels });
  });
}
