import { conflict } from '@switchyard/server';
import type { IssueView } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { lockIssue, ownerOf } from '../../state/issues/lock-issue';
import { getIssue } from './get-issue';

/**
 * Gives an issue back: in_progress → todo, without lock and assignee (contract, "Behaviour" 1, 2). Of
 * what nobody owns nothing changes.
 * @throws ApiError 409 `not_owner` when another agent owns it
 */
export async function releaseIssue(call: Call, issueId: string): Promise<IssueView> {
  const { actor, runId } = call;
  return inTransaction(call, async (tx) => {
    const { issue } = await lockIssue(tx, issueId, runId);
    const owner = ownerOf(issue);
    if (issue.status !== 'in_progress' || owner === null) return getIssue(tx, issueId);
    if (actor.type === 'agent' && actor.agentId !== owner) {
      throw conflict(
        'not_owner',
        'another agent owns this issue; only it or the board releases it',
        {
          issueId,
          status: issue.status,
          assigneeAgentId: issue.assigneeAgentId,
          checkoutRunId: issue.checkoutRunId,
          retry: false,
        },
      );
    }
    await tx.prisma.issue.update({
      where: { id: issueId },
      data: { status: 'todo', assigneeAgentId: null, checkoutRunId: null, checkedOutAt: null },
    });
    await tx.record('issue.released', issueId, { from: owner });
    return getIssue(tx, issueId);
  });
}
