import { conflict } from '@switchyard/server';
import type { IssueView } from '@switchyard/types';
import { type Call, inTransaction } from '../../kernel/call';
import { changeIssue } from '../../state/issues/change-issue';
import { type IssueState, lockIssue, ownerOf } from '../../state/issues/lock-issue';
import { holderOf } from './claims/holder';
import { presentIssue } from './present-issue';
import { UNLOCKED } from './status-change';

/**
 * Moves an issue from in_progress to todo and removes the lock and the assignee; idempotent.
 * @throws ApiError 409 `not_owner` if another agent or person owns the issue
 */
export async function releaseIssue(call: Call, issueId: string): Promise<IssueView> {
  const { actor, runId } = call;
  return inTransaction(call, async (tx) => {
    const state = await lockIssue(tx, issueId, { runId, agentId: null });
    const { issue } = state;
    const owner = ownerOf(state);
    if (issue.status !== 'in_progress' || owner === null) return presentIssue(issue);
    if (actor.type === 'agent' && actor.agentId !== owner.agentId) throw notOwner(state);
    const change = { status: 'todo', ...UNOWNED } as const;
    const from = owner.agentId ?? owner.userId;
    const record = { action: 'issue.released', details: { from } } as const;
    return presentIssue(await changeIssue(tx, issueId, change, record));
  });
}

const UNOWNED = { assigneeAgentId: null, assigneeUserId: null, ...UNLOCKED };

const notOwner = (state: IssueState) => {
  const { issue } = state;
  const message = `${holderOf(state)} owns this issue; only the owner or the board may release it`;
  return conflict('not_owner', message, {
    issueId: issue.id,
    status: issue.status,
    assigneeAgentId: issue.assigneeAgentId,
    assigneeUserId: issue.assigneeUserId,
    checkoutRunId: issue.checkoutRunId,
    retry: false,
  });
};
