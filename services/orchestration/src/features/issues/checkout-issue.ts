import { forbidden, unauthenticated, unprocessable } from '@switchyard/server';
import type { CheckoutIssueBody, IssueStatus, IssueView } from '@switchyard/types';
import { assertSelfOrBoard } from '../../access/rules';
import { type Call, inTransaction, type Tx } from '../../call';
import { spentBudgetOf } from '../../state/budgets/spent';
import { lockAssignee } from '../../state/issues/assignees';
import { type LockedIssue, lockIssue } from '../../state/issues/lock-issue';
import { checkoutRefusal } from './checkout-refusal';
import { getIssue } from './get-issue';

const CLAIMABLE: readonly string[] = ['backlog', 'todo', 'blocked', 'in_progress'];

/** The board may name any agent of the company; a run that it names must be that agent's. */
async function assertAgent(tx: Tx, agentId: string): Promise<void> {
  const agent = await tx.prisma.agent.findUnique({
    where: { id: agentId },
    select: { companyId: true, status: true },
  });
  const details = { field: 'agentId' };
  if (!agent) throw unprocessable('unknown_reference', 'agentId does not exist', details);
  if (agent.companyId !== tx.companyId) {
    throw forbidden('cross_company', 'agentId belongs to another company', details);
  }
  if (agent.status === 'terminated' || agent.status === 'pending_approval') {
    throw unprocessable('semantic_error', `a ${agent.status} agent cannot claim work`, details);
  }
  if (!tx.runId) return;
  const run = await tx.prisma.heartbeatRun.findUnique({
    where: { id: tx.runId },
    select: { agentId: true },
  });
  if (run?.agentId !== agentId) {
    throw forbidden('forbidden', 'X-Service-Run-Id names a run of another agent');
  }
}

/** True when the claim changes nothing: the same run, or the same agent without a run, owns already. */
function ownsAlready(issue: LockedIssue, agentId: string, runId: string | null): boolean {
  if (issue.status !== 'in_progress' || issue.checkoutRunId !== runId) return false;
  return runId !== null || issue.assigneeAgentId === agentId;
}

function assertClaimable(issue: LockedIssue, agentId: string, expected: IssueStatus[]): void {
  const held = issue.holder?.status === 'running' ? issue.holder : null;
  if (held && held.agentId !== agentId) throw checkoutRefusal(issue, 'owned_by_other_agent');
  if (held) throw checkoutRefusal(issue, 'live_sibling_run');
  if (issue.assigneeAgentId !== null && issue.assigneeAgentId !== agentId) {
    throw checkoutRefusal(issue, 'owned_by_other_agent');
  }
  const status = issue.status as IssueStatus;
  if (!expected.includes(status) || !CLAIMABLE.includes(status)) {
    throw checkoutRefusal(issue, 'status_mismatch');
  }
}

/**
 * Claims an issue and moves it to in_progress (spec, "Issues" rules 1 to 3). One row lock decides
 * between any number of callers; the lock of a run that has ended is adopted. Nothing is claimed for an
 * agent whose budget, or whose company's, is spent, by a run that is being stopped as little as by the
 * board; what it holds already it may still release, comment and hand in (guarantee G19).
 * @throws ApiError 403 for another agent's id, 409 as `checkoutRefusal` says
 */
export async function checkoutIssue(
  call: Call,
  issueId: string,
  body: CheckoutIssueBody,
): Promise<IssueView> {
  const { agentId, expectedStatuses } = body;
  const { companyId, actor, runId } = call;
  assertSelfOrBoard(call, agentId);
  return inTransaction(call, async (tx) => {
    const agent = await lockAssignee(tx, companyId, agentId);
    if (actor.type === 'board') await assertAgent(tx, agentId);
    else if (agent?.status === 'terminated') throw unauthenticated('the agent is terminated');
    const { issue, runIsLive } = await lockIssue(tx, issueId, runId);
    if (runId !== null && !runIsLive) {
      throw unauthenticated('the run has ended', 'token_expired');
    }
    if (ownsAlready(issue, agentId, runId)) return getIssue(tx, issueId);
    assertClaimable(issue, agentId, expectedStatuses);
    const spent = await spentBudgetOf(tx, agentId);
    if (spent) throw checkoutRefusal(issue, spent);
    await tx.prisma.$executeRaw`
      UPDATE issue SET status = 'in_progress', assignee_agent_id = ${agentId}::uuid,
        checkout_run_id = ${runId}::uuid, checked_out_at = now(),
        started_at = coalesce(started_at, now()), updated_at = now()
      WHERE id = ${issueId}::uuid`;
    await tx.record('issue.checked_out', issueId, {
      agentId,
      from: issue.status,
      adoptedRunId: issue.checkoutRunId,
    });
    return getIssue(tx, issueId);
  });
}
