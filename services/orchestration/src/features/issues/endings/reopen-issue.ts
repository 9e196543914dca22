import type { EndIssueBody, UpdatedIssueView } from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../../kernel/call';
import { readAssignee, wakeAssignee } from '../../../state/issues/assignees';
import { changeIssue } from '../../../state/issues/change-issue';
import { type IssueState, lockIssue, readIssueState } from '../../../state/issues/lock-issue';
import { isEmployed } from '../../../state/statuses/agent-status';
import { isOver } from '../../../state/statuses/issue-status';
import { readCommentText } from '../../mentions/read-comment-text';
import { addComment } from '../add-comment';
import { presentIssue } from '../present-issue';

/**
 * A separate operation, because an update cannot leave the two terminal statuses (spec). Wakes the
 * assigned agent. Unassigns a terminated agent or a person who has left. A routine run that ended
 * with the issue stays ended.
 */
export async function reopenIssue(
  call: Call,
  issueId: string,
  { comment }: EndIssueBody,
): Promise<UpdatedIssueView> {
  const text = comment === undefined ? null : await readCommentText(comment);
  return inTransaction(call, async (tx) => {
    const view = await reopen(tx, issueId);
    if (!text) return view;
    const decided = view.woken.map(({ agentId }) => agentId);
    return { ...view, comment: await addComment(tx, issueId, text, { decided }) };
  });
}

async function reopen(tx: Tx, issueId: string): Promise<UpdatedIssueView> {
  const { issue: seen } = await readIssueState(tx, issueId, { agentId: null, runId: null });
  const { assigneeAgentId: agentId, assigneeUserId: userId } = seen;
  const state = await lockIssue(tx, issueId, { agentId, userId, runId: null });
  const { issue: before, agent } = state;
  if (!isOver(before.status)) return { ...presentIssue(before), woken: [] };
  const isGone = isAssigneeGone(state, userId);
  const change = {
    status: 'todo',
    completedAt: null,
    cancelledAt: null,
    ...(isGone && { assigneeAgentId: null, assigneeUserId: null }),
  } as const;
  const details = { from: before.status, to: 'todo', unassigned: isGone };
  const issue = await changeIssue(tx, issueId, change, { action: 'issue.reopened', details });
  const { assigneeAgentId } = issue;
  const assignee = agent?.id === assigneeAgentId ? agent : await readAssignee(tx, assigneeAgentId);
  const woken = assignee ? [await wakeAssignee(tx, issue, assignee)] : [];
  return { ...presentIssue(issue), woken };
}

function isAssigneeGone({ issue, agent, isMember }: IssueState, userId: string | null): boolean {
  if (agent && agent.id === issue.assigneeAgentId) {
    return !isEmployed(agent.status);
  }
  return issue.assigneeUserId !== null && issue.assigneeUserId === userId && !isMember;
}
