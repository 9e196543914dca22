import { conflict } from '@switchyard/server';
import type { IssueView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { changeIssue } from '../../state/issues/change-issue';
import type { IssueRow } from '../../state/issues/issue-columns';
import { lockIssue, ownerOf } from '../../state/issues/lock-issue';
import { presentIssue } from './present-issue';

/**
 * Gives an issue back: in_progress → todo, without lock and assignee. An issue that has no owner stays as it is.
 * @throws ApiError 409 `not_owner` when another agent owns it
 */
export async function releaseIssue(call: Call, issueId: string): Promise<IssueView> {
  const { actor, runId } = call;
  return inTransaction(call, async (tx) => {
    const state = await lockIssue(tx, issueId, { runId, agentId: null });
    const { issue } = state;
    const owner = ownerOf(state);
    if (issue.status !== 'in_progress' || owner === null) return presentIssue(issue);
    if (actor.type === 'agent' && actor.agentId !== owner) throw notOwner(issue);
    const change = { status: 'todo', ...UNOWNED } as const;
    const record = { action: 'issue.released', details: { from: owner } } as const;
    return presentIssue(await changeIssue(tx, issueId, change, record));
  });
}

const UNOWNED = { assigneeAgentId: null, checkoutRunId: null, checkedOutAt: null };

const notOwner = ({ id, status, assigneeAgentId, checkoutRunId }: IssueRow) =>
  conflict('not_owner', 'another agent owns this issue; only it or the board releases it', {
    issueId: id,
    status,
    assigneeAgentId,
    checkoutRunId,
    retry: false,
  });
