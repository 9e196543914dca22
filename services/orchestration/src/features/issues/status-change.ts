import { conflict, unprocessable } from '@switchyard/server';
import type { IssueStatus } from '@switchyard/types';
import type { Call } from '../../call';
import { transition } from '../../state/issues/issue-status';
import { type LockedIssue, ownerOf } from '../../state/issues/lock-issue';

/** The columns that a status change writes beside the status. */
interface StatusColumns {
  status?: IssueStatus;
  startedAt?: Date;
  completedAt?: Date;
  cancelledAt?: Date;
  checkoutRunId?: string | null;
  checkedOutAt?: Date | null;
}

/** @throws ApiError 409 `checked_out` when another agent has the issue in progress */
export function assertNotHeldByOther(call: Call, issue: LockedIssue): void {
  const owner = ownerOf(issue);
  const { actor } = call;
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

/** Back from review, the assignee's live run goes on holding the issue; anybody else leaves it free. */
function lockForReturn(call: Call, issue: LockedIssue, runIsLive: boolean, now: Date) {
  const { actor, runId } = call;
  const mine = actor.type === 'agent' && actor.agentId === issue.assigneeAgentId;
  return mine && runIsLive && runId
    ? { checkoutRunId: runId, checkedOutAt: now }
    : { checkoutRunId: null, checkedOutAt: null };
}

/**
 * What a status update writes (contract, "Behaviour" 1).
 * @throws ApiError 409 `checkout_required` or `checked_out`, 422 `invalid_transition`
 */
export function statusChange(
  call: Call,
  issue: LockedIssue,
  to: IssueStatus,
  runIsLive: boolean,
): StatusColumns {
  const from = issue.status as IssueStatus;
  const move = transition(from, to);
  if (move.kind === 'none') return {};
  assertNotHeldByOther(call, issue);
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
  const now = new Date();
  const columns: StatusColumns = { status: to };
  if (to === 'in_progress') {
    const startedAt = issue.startedAt ?? now;
    return { ...columns, startedAt, ...lockForReturn(call, issue, runIsLive, now) };
  }
  if (from === 'in_progress') Object.assign(columns, { checkoutRunId: null, checkedOutAt: null });
  if (to === 'done') columns.completedAt = now;
  if (to === 'cancelled') columns.cancelledAt = now;
  return columns;
}
