import { conflict, unprocessable } from '@switchyard/server';
import type { IssueStatus } from '@switchyard/types';
import type { Call } from '../../call';
import type { IssueChange } from '../../state/issues/change-issue';
import { transition } from '../../state/issues/issue-status';
import { type IssueState, ownerOf } from '../../state/issues/lock-issue';

/**
 * What a status update writes.
 * @throws ApiError 409 `checkout_required` or `checked_out`, 422 `invalid_transition`
 */
export function statusChange(call: Call, state: IssueState, to: IssueStatus): IssueChange {
  const { issue } = state;
  const from = issue.status as IssueStatus;
  const move = transition(from, to);
  if (move.kind === 'none') return {};
  assertNotHeldByOther(call, state);
  if (move.kind === 'invalid') {
    const { allowed } = move;
    throw unprocessable('invalid_transition', `an issue cannot go from ${from} to ${to}`, {
      from,
      to,
      allowed,
    });
  }
  if (move.kind === 'checkout_required') {
    throw conflict('checkout_required', 'an issue enters in_progress by checkout', {
      issueId: issue.id,
      status: from,
      retry: false,
    });
  }
  if (to === 'in_progress') {
    const started = issue.started_at === null ? { startedAt: 'now' } : {};
    return { status: to, ...started, ...lockForReturn(call, state) };
  }
  return {
    status: to,
    ...(from === 'in_progress' && UNLOCKED),
    ...(to === 'done' && { completedAt: 'now' }),
    ...(to === 'cancelled' && { cancelledAt: 'now' }),
  };
}

/** @throws ApiError 409 `checked_out` when another agent has the issue in progress */
export function assertNotHeldByOther({ actor }: Call, state: IssueState): void {
  const { issue } = state;
  const owner = ownerOf(state);
  if (issue.status !== 'in_progress' || actor.type !== 'agent' || owner === null) return;
  if (owner === actor.agentId) return;
  throw conflict('checked_out', 'another agent has checked this issue out', {
    issueId: issue.id,
    status: issue.status,
    assigneeAgentId: issue.assigneeAgentId,
    checkoutRunId: issue.checkoutRunId,
    retry: false,
  });
}

const UNLOCKED = { checkoutRunId: null, checkedOutAt: null };

/** Back from review, the assignee's live run goes on holding the issue; by another caller it is left free. */
function lockForReturn({ actor, runId }: Call, { issue, run }: IssueState) {
  const isMine = actor.type === 'agent' && actor.agentId === issue.assigneeAgentId;
  if (!isMine || !runId || !run?.isLive) return UNLOCKED;
  return { checkoutRunId: runId, checkedOutAt: 'now' } as const;
}
