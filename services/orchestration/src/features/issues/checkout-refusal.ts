import { type ApiError, conflict } from '@switchyard/server';
import type { ErrorCode } from '@switchyard/types';
import type { BudgetReason } from '../../state/budgets/spent';
import type { LockedIssue } from '../../state/issues/lock-issue';

type Reason = 'owned_by_other_agent' | 'live_sibling_run' | 'status_mismatch' | BudgetReason;

const REFUSALS: Record<Reason, { code: ErrorCode; message: (issue: LockedIssue) => string }> = {
  owned_by_other_agent: {
    code: 'checked_out',
    message: () => 'another agent owns this issue; do not retry',
  },
  live_sibling_run: {
    code: 'checked_out',
    message: () => 'another live run of the same agent holds this issue; do not retry',
  },
  status_mismatch: {
    code: 'status_mismatch',
    message: (issue) => `the issue is ${issue.status}, which was not expected or cannot be claimed`,
  },
  agent_budget: {
    code: 'not_invokable',
    message: () => "the agent's budget of this month is spent; do not retry",
  },
  company_budget: {
    code: 'not_invokable',
    message: () => "the company's budget of this month is spent; do not retry",
  },
};

/** The 409 of a checkout, always with the same details (contract, "Behaviour" 2). */
export function checkoutRefusal(issue: LockedIssue, reason: Reason): ApiError {
  const { code, message } = REFUSALS[reason];
  return conflict(code, message(issue), {
    issueId: issue.id,
    status: issue.status,
    assigneeAgentId: issue.assigneeAgentId,
    checkoutRunId: issue.checkoutRunId,
    holderRunStatus: issue.holder?.status ?? null,
    reason,
    retry: false,
  });
}
