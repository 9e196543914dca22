import { type ApiError, conflict } from '@switchyard/server';
import type { ErrorCode, IssueStatus } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { type CapReason, isCapReason, scopeOfCap } from '../../../state/budgets/spend-caps';
import type { BudgetReason } from '../../../state/budgets/spent';
import type { IssueState } from '../../../state/issues/lock-issue';
import { isClaimable, isOver } from '../../../state/statuses/issue-status';
import { holderOf } from './holder';

type Reason =
  | 'owned_by_other_agent'
  | 'owned_by_person'
  | 'live_sibling_run'
  | 'status_mismatch'
  | BudgetReason
  | CapReason;

export function checkoutConflict(call: Call, state: IssueState, reason: Reason): ApiError {
  const { issue, holder } = state;
  const advice = whatElse(call, state, reason);
  const next = advice
    ? `do not repeat this request unchanged: ${advice}`
    : 'do not retry: the issue is closed';
  const message = `${whatIs(state, reason)}; ${next}`;
  return conflict(isCapReason(reason) ? 'not_invokable' : CODES[reason], message, {
    issueId: issue.id,
    status: issue.status,
    assigneeAgentId: issue.assigneeAgentId,
    assigneeUserId: issue.assigneeUserId,
    checkoutRunId: issue.checkoutRunId,
    checkoutUserId: issue.checkoutUserId,
    holderRunStatus: holder?.status ?? null,
    reason,
    retry: false,
  });
}

const CODES: Record<Exclude<Reason, CapReason>, ErrorCode> = {
  owned_by_other_agent: 'checked_out',
  owned_by_person: 'checked_out',
  live_sibling_run: 'checked_out',
  status_mismatch: 'status_mismatch',
  agent_budget: 'not_invokable',
  company_budget: 'not_invokable',
};

function whatIs(state: IssueState, reason: Reason): string {
  if (isCapReason(reason)) return `the ${scopeOfCap(reason)} has reached a spending cap`;
  switch (reason) {
    case 'live_sibling_run':
      return 'another live run of the same agent holds this issue';
    case 'status_mismatch':
      return whichMismatch(state);
    case 'agent_budget':
      return "the agent's budget for this month is spent";
    case 'company_budget':
      return "the company's budget for this month is spent";
    default:
      return `${holderOf(state)} owns this issue`;
  }
}

function whichMismatch({ issue }: IssueState): string {
  return isClaimable(issue.status as IssueStatus)
    ? `the issue is ${issue.status}, which expectedStatuses does not contain`
    : `the issue is ${issue.status}, and an issue with this status cannot be checked out`;
}

function whatElse({ actor }: Call, { issue }: IssueState, reason: Reason): string | null {
  const isBoard = actor.type === 'board';
  const status = issue.status as IssueStatus;
  if (isCapReason(reason)) {
    return 'wait until the board raises or removes the cap, or its period ends';
  }
  switch (reason) {
    case 'live_sibling_run':
      return 'leave the issue to that run';
    case 'agent_budget':
    case 'company_budget':
      return 'wait until the board raises the budget or the next month begins';
    case 'status_mismatch':
      if (isOver(status)) {
        return isBoard ? 'reopen it first with POST /api/issues/{issueId}/reopen' : null;
      }
      return status === 'in_review'
        ? 'set its status to in_progress to take it back from review'
        : `add ${status} to expectedStatuses to claim it in this status`;
    default:
      return isBoard
        ? 'assign it to another agent or person with PATCH /api/issues/{issueId} first'
        : 'choose another issue, or write to the owner in a comment';
  }
}
