import { type ApiError, conflict } from '@switchyard/server';
import { isCapReason, scopeOfCap } from '../../state/budgets/spend-caps';
import { TOO_MANY_HOPS } from '../../state/issues/assignees';

export function notInvokable(agentId: string, reason: string): ApiError {
  const message = `the agent cannot be woken now: ${WORDS[reason] ?? otherWords(reason)}`;
  return conflict('not_invokable', message, { agentId, reason, retry: false });
}

const WORDS: Record<string, string> = {
  company_paused: 'its company is paused',
  company_archived: 'its company is archived',
  agent_pending_approval: 'its hire is waiting for approval',
  agent_terminated: 'it is terminated',
  agent_budget: 'its budget for this month is spent; the board may raise it',
  company_budget: "its company's budget for this month is spent; the board may raise it",
  hop_limit: TOO_MANY_HOPS,
};

function otherWords(reason: string): string {
  if (isCapReason(reason)) {
    return `the ${scopeOfCap(reason)} has reached a spending cap; the board may raise or remove it`;
  }
  return reason.startsWith('agent_paused')
    ? 'it is paused; the board can resume it with POST /api/agents/{agentId}/resume'
    : reason;
}
