import { conflict, unprocessable } from '@switchyard/server';
import type { IssueStatus } from '@switchyard/types';
import type { Call } from '../../kernel/call';
import type { IssueChange } from '../../state/issues/change-issue';
import { type IssueState, ownerOf } from '../../state/issues/lock-issue';
import { isOver, type Step, stepsTo, transition } from '../../state/statuses/issue-status';
import { holderOf } from './claims/holder';

export function statusChange(call: Call, state: IssueState, to: IssueStatus): IssueChange {
  const { issue } = state;
  const from = issue.status as IssueStatus;
  const move = transition(from, to);
  if (move.kind === 'none') return {};
  assertNotHeldByOther(call, state);
  if (move.kind === 'invalid') {
    const { allowed } = move;
    const message = `an issue cannot change from ${from} to ${to}: ${wayOn(call, from, to)}`;
    throw unprocessable('invalid_transition', message, { from, to, allowed });
  }
  if (move.kind === 'checkout_required') {
    const message = 'only a checkout sets in_progress: POST /api/issues/{issueId}/checkout';
    throw conflict('checkout_required', message, {
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

export function assertNotHeldByOther({ actor }: Call, state: IssueState): void {
  const { issue } = state;
  const owner = ownerOf(state);
  if (issue.status !== 'in_progress' || actor.type !== 'agent' || owner === null) return;
  if (owner.agentId === actor.agentId) return;
  const message = `${holderOf(state)} owns this issue: choose another issue, or write a comment`;
  throw conflict('checked_out', message, {
    issueId: issue.id,
    status: issue.status,
    assigneeAgentId: issue.assigneeAgentId,
    assigneeUserId: issue.assigneeUserId,
    checkoutRunId: issue.checkoutRunId,
    checkoutUserId: issue.checkoutUserId,
    retry: false,
  });
}

export const UNLOCKED = { checkoutRunId: null, checkoutUserId: null, checkedOutAt: null };

function wayOn({ actor }: Call, from: IssueStatus, to: IssueStatus): string {
  const isBoard = actor.type === 'board';
  if (isOver(from)) {
    return isBoard
      ? 'reopen it first with POST /api/issues/{issueId}/reopen'
      : `${from} is final; only the board can reopen the issue`;
  }
  const [first, ...others] = stepsTo(from, to).map((step) => WORDS_OF[step.by](step.to));
  const way = [`${first} first`, ...others].join(', then ');
  return to === 'done' && isBoard
    ? `${way}; or complete it with POST /api/issues/{issueId}/complete`
    : way;
}

const WORDS_OF: Record<Step['by'], (to: IssueStatus) => string> = {
  update: (to) => `set ${to}`,
  checkout: () => 'check it out',
  release: () => 'release it',
};

function lockForReturn({ actor, runId }: Call, { issue, run }: IssueState) {
  if (actor.type === 'board' && actor.userId === issue.assigneeUserId) {
    return { checkoutUserId: actor.userId, checkedOutAt: 'now' } as const;
  }
  const isMine = actor.type === 'agent' && actor.agentId === issue.assigneeAgentId;
  if (!isMine || !runId || !run?.isLive) return UNLOCKED;
  return { checkoutRunId: runId, checkedOutAt: 'now' } as const;
}
