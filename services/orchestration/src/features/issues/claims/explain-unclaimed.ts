import { forbidden, unauthenticated, unprocessable } from '@switchyard/server';
import type { IssueStatus } from '@switchyard/types';
import type { Call } from '../../../kernel/call';
import { spentCapOf } from '../../../state/budgets/spend-caps';
import { spentBudgetOf } from '../../../state/budgets/spent';
import type { Claimant } from '../../../state/issues/claim-issue';
import type { IssueRow } from '../../../state/issues/issue-columns';
import { type IssueState, ownerOf, readIssueState } from '../../../state/issues/lock-issue';
import { assertReferenced } from '../../../state/references';
import { isEmployed } from '../../../state/statuses/agent-status';
import { isClaimable } from '../../../state/statuses/issue-status';
import { checkoutConflict } from './checkout-conflict';

/**
 * Returns the issue if the claimant already holds it, and null if it can now be claimed.
 * @throws ApiError 401 if the run has ended, 403 for a person who is no longer a member, 409 of
 * `checkoutConflict`
 */
export async function explainUnclaimed(
  call: Call,
  issueId: string,
  claimant: Claimant,
  expected: readonly IssueStatus[],
): Promise<IssueRow | null> {
  const { agentId = null, userId = null } = claimant;
  const runId = agentId ? call.runId : null;
  const state = await readIssueState(call.db, issueId, { agentId, userId, runId });
  if (agentId) assertMayClaim(call, state, agentId);
  else if (!state.isMember)
    throw forbidden('cross_company', 'the issue belongs to another company');
  if (ownsAlready(state, claimant, runId)) return state.issue;
  assertUnowned(call, state, claimant);
  const status = state.issue.status as IssueStatus;
  if (!isClaimable(status) || !expected.includes(status)) {
    throw checkoutConflict(call, state, 'status_mismatch');
  }
  const { companyId } = call;
  const spent =
    agentId &&
    ((await spentBudgetOf(call.db, agentId)) ??
      (await spentCapOf(call.db, { companyId, agentId, issueId })));
  if (spent) throw checkoutConflict(call, state, spent);
  return null;
}

function assertMayClaim(call: Call, state: IssueState, agentId: string): void {
  if (call.actor.type === 'board') assertAgentOfBoard(call, state, agentId);
  else if (state.agent?.status === 'terminated') throw unauthenticated('the agent is terminated');
  if (call.runId !== null && !state.run?.isLive) {
    throw unauthenticated('the run has ended', 'token_expired');
  }
}

function assertAgentOfBoard(
  { companyId, runId }: Call,
  { agent, run }: IssueState,
  agentId: string,
) {
  assertReferenced(agent, companyId, 'agentId');
  if (!isEmployed(agent.status)) {
    throw unprocessable('semantic_error', `a ${agent.status} agent cannot claim work`, {
      field: 'agentId',
    });
  }
  if (runId !== null && run?.agentId !== agentId) {
    throw forbidden('forbidden', 'X-Service-Run-Id must name a run of the agent in agentId');
  }
}

function ownsAlready({ issue }: IssueState, claimant: Claimant, runId: string | null): boolean {
  if (claimant.userId) return issue.checkoutUserId === claimant.userId;
  if (issue.status !== 'in_progress' || issue.checkoutRunId !== runId) return false;
  return runId !== null || issue.assigneeAgentId === claimant.agentId;
}

function assertUnowned(call: Call, state: IssueState, { agentId, userId }: Claimant): void {
  const owner = ownerOf(state);
  if (owner === null) return;
  if (owner.userId !== null) {
    if (owner.userId !== userId) throw checkoutConflict(call, state, 'owned_by_person');
    return;
  }
  if (owner.agentId !== agentId) throw checkoutConflict(call, state, 'owned_by_other_agent');
  if (state.holder?.status === 'running') throw checkoutConflict(call, state, 'live_sibling_run');
}
