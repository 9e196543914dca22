import { unprocessable } from '@switchyard/server';
import type { CreatedIssueView, CreateIssueBody } from '@switchyard/types';
import { namedAssignees } from '../../access/named-person';
import { type Call, inTransaction } from '../../kernel/call';
import { insertIssue } from '../../state/issues/insert-issue';
import { issueNumbers } from '../../state/issues/issue-numbers';
import { labelIssue } from '../../state/labels/label-issue';
import { INITIAL } from '../../state/statuses/issue-status';
import { readCallback, storeCallback } from '../callbacks/request-callback';
import { presentIssue } from './present-issue';
import { writtenLabels } from './written-labels';

export async function createIssue(call: Call, body: CreateIssueBody): Promise<CreatedIssueView> {
  if (body.status && !INITIAL.includes(body.status)) {
    throw unprocessable(
      'invalid_transition',
      'status must not be in_progress: create the issue, then POST its checkout',
      {
        from: null,
        to: body.status,
        allowed: INITIAL,
      },
    );
  }
  const { labels = [], callbackUrl, callbackSecret, ...given } = body;
  const callback = readCallback(call, { callbackUrl, callbackSecret });
  const named = namedAssignees(call, given);
  const written = writtenLabels(labels);
  const fields = { ...named, issueNumber: await issueNumbers(call.context).take(call.companyId) };
  if (written.length === 0 && callback === null) {
    const { issue, woken } = await insertIssue(call, fields);
    return { ...presentIssue(issue), woken };
  }
  return inTransaction(call, async (tx) => {
    const { issue, woken } = await insertIssue(tx, fields);
    const { labels } = await labelIssue(tx, issue.id, written);
    if (callback) await storeCallback(tx, callback, { type: 'issue', id: issue.id });
    return { ...presentIssue({ ...issue, labels }), woken };
  });
}
