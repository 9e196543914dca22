import { forbidden } from '@switchyard/server';
import type { CheckoutIssueBody, IssueView } from '@switchyard/types';
import type { BoardActor } from '../../../access/actor';
import { type Call, inTransaction } from '../../../call';
import { changeIssue } from '../../../state/issues/change-issue';
import { type IssueState, lockIssue, readIssueState } from '../../../state/issues/lock-issue';
import { presentIssue } from '../present-issue';
import { assertExpected, assertUnowned } from './checkout-conflict';

/**
 * Claims an issue for the person who calls, under the row lock that decides between agents too. No budget is asked: a
 * person spends none. The hold ends by release, by a change of status or assignee, or with the membership.
 * @throws ApiError 403 for somebody who is a member no longer, 409 as for agents
 */
export async function checkOutAsPerson(
  call: Call,
  issueId: string,
  { expectedStatuses }: CheckoutIssueBody,
): Promise<IssueView> {
  const { userId } = call.actor as BoardActor;
  const parts = { agentId: null, userId, runId: null };
  const check = (state: IssueState): 'owned' | 'claimable' => {
    if (!state.isMember) throw forbidden('cross_company', 'this belongs to another company');
    if (state.issue.checkoutUserId === userId) return 'owned';
    assertUnowned(call, state, { userId });
    assertExpected(call, state, expectedStatuses);
    return 'claimable';
  };
  // Most callers that come too late are refused without a lock.
  check(await readIssueState(call.db, issueId, parts));
  return inTransaction(call, async (tx) => {
    const state = await lockIssue(tx, issueId, parts);
    const { issue } = state;
    if (check(state) === 'owned') return presentIssue(issue);
    const change = {
      status: 'in_progress',
      assigneeUserId: userId,
      checkoutUserId: userId,
      checkoutRunId: null,
      checkedOutAt: 'now',
      ...(issue.started_at === null && { startedAt: 'now' }),
    } as const;
    const details = { userId, from: issue.status, adoptedRunId: issue.checkoutRunId };
    const record = { action: 'issue.checked_out', details } as const;
    return presentIssue(await changeIssue(tx, issueId, change, record));
  });
}
