import { forbidden, invalidField, unauthenticated, unprocessable } from '@switchyard/server';
import type { CheckoutIssueBody, IssueView } from '@switchyard/types';
import { assertReferenced } from '../../access/references';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction } from '../../call';
import { spentBudgetOf } from '../../state/budgets/spent';
import { changeIssue } from '../../state/issues/change-issue';
import { claimIssue } from '../../state/issues/claim-issue';
import { type IssueState, lockIssue, readIssueState } from '../../state/issues/lock-issue';
import { checkOutAsPerson } from './claims/check-out-as-person';
import { assertExpected, assertUnowned, checkoutConflict } from './claims/checkout-conflict';
import { presentIssue } from './present-issue';

/**
 * Claims an issue and moves it to in_progress (spec, "Issues" rules 1 to 3). One row lock decides between any number of
 * callers; the lock of a run that has ended is adopted. Nothing is claimed for an agent whose budget, or whose company's,
 * is spent, neither by a run that is being stopped nor by the board; what the agent holds already it may still release,
 * comment and hand in. A person who names no agent claims the issue itself.
 * @throws ApiError 400 for an agent that names none, 401 when the run has ended, 403 for another agent's id, 409 as
 * `checkoutConflict` says
 */
export async function checkoutIssue(
  call: Call,
  issueId: string,
  body: CheckoutIssueBody,
): Promise<IssueView> {
  const { agentId, expectedStatuses } = body;
  if (agentId !== undefined) return checkOutAsAgent(call, issueId, { agentId, expectedStatuses });
  if (call.actor.type === 'agent') throw invalidField('agentId', 'an agent names itself');
  return checkOutAsPerson(call, issueId, body);
}

type Claim = Required<CheckoutIssueBody>;

async function checkOutAsAgent(call: Call, issueId: string, body: Claim): Promise<IssueView> {
  const { agentId } = body;
  const { runId } = call;
  assertSelfOrBoard(call, agentId);
  const claimed = await claimIssue(call, issueId, body);
  if (claimed) return presentIssue(claimed);
  // Most callers that come too late are refused without a lock.
  assertCheckout(call, await readIssueState(call.db, issueId, { agentId, runId }), body);
  return inTransaction(call, async (tx) => {
    const state = await lockIssue(tx, issueId, { agentId, runId });
    const { issue } = state;
    if (assertCheckout(call, state, body) === 'owned') return presentIssue(issue);
    const spent = await spentBudgetOf(tx, agentId);
    if (spent) throw checkoutConflict(tx, state, spent);
    const change = {
      status: 'in_progress',
      assigneeAgentId: agentId,
      checkoutRunId: runId,
      checkedOutAt: 'now',
      ...(issue.started_at === null && { startedAt: 'now' }),
    } as const;
    const details = { agentId, from: issue.status, adoptedRunId: issue.checkoutRunId };
    const record = { action: 'issue.checked_out', details } as const;
    return presentIssue(await changeIssue(tx, issueId, change, record));
  });
}

/** Owned already when the claim would change nothing: the same run, or the same agent without a run, has it. */
function assertCheckout(
  call: Call,
  state: IssueState,
  { agentId, expectedStatuses }: Claim,
): 'owned' | 'claimable' {
  const { runId } = call;
  if (call.actor.type === 'board') assertAgentOfBoard(call, state, agentId);
  else if (state.agent?.status === 'terminated') throw unauthenticated('the agent is terminated');
  if (runId !== null && !state.run?.isLive) {
    throw unauthenticated('the run has ended', 'token_expired');
  }
  if (ownsAlready(state, agentId, runId)) return 'owned';
  const holdingAgent = state.holder?.status === 'running' ? state.holder.agentId : null;
  if (holdingAgent === agentId) throw checkoutConflict(call, state, 'live_sibling_run');
  assertUnowned(call, state, { agentId });
  assertExpected(call, state, expectedStatuses);
  return 'claimable';
}

/** The board may name any agent of the company; a run that it names must be that agent's. */
function assertAgentOfBoard(
  { companyId, runId }: Call,
  { agent, run }: IssueState,
  agentId: string,
) {
  assertReferenced(agent, companyId, 'agentId');
  if (agent.status === 'terminated' || agent.status === 'pending_approval') {
    throw unprocessable('semantic_error', `a ${agent.status} agent cannot claim work`, {
      field: 'agentId',
    });
  }
  if (runId !== null && run?.agentId !== agentId) {
    throw forbidden('forbidden', 'X-Service-Run-Id names a run of another agent');
  }
}

function ownsAlready({ issue }: IssueState, agentId: string, runId: string | null): boolean {
  if (issue.status !== 'in_progress' || issue.checkoutRunId !== runId) return false;
  return runId !== null || issue.assigneeAgentId === agentId;
}
