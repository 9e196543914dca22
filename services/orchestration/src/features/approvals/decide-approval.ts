import { invalidField } from '@switchyard/server';
import type {
  AgentWarning,
  ApprovalView,
  ApproveBody,
  ApprovedApprovalView,
  DecisionBody,
} from '@switchyard/types';
import { type Call, inTransaction, type Tx } from '../../kernel/call';
import { lockAgent } from '../../state/agents/lock-agent';
import { decideDraft } from '../../state/agents/transitions';
import { type Decision, decide } from '../../state/approvals/decisions';
import { getAgent } from '../agents/agents';
import { agentWarnings } from '../agents/configuration/config-warnings';
import { writeConfiguration } from '../agents/configuration/write-configuration';
import { alreadyDecided } from './already-decided';
import { assertNoQuestion } from './answer-question';
import { getApproval } from './approvals';
import { settleAdapter } from './proposed-adapter';

/**
 * Sets the adapter and budget of a hire's draft, and its status to idle.
 * @throws ApiError 400 for an adapter or a budget if the approval is not a hire, 409 `not_pending`,
 * 422 for an invalid adapter
 */
export async function approveApproval(
  call: Call,
  approvalId: string,
  { adapter, budgetMonthlyCents, ...body }: ApproveBody,
): Promise<ApprovedApprovalView> {
  let warnings: AgentWarning[] = [];
  const settle = async (tx: Tx, draftId: string | null, { payload }: ApprovalView) => {
    if (draftId) {
      await settleAdapter(tx, draftId, payload, adapter);
      if (budgetMonthlyCents !== undefined) await settleBudget(tx, draftId, budgetMonthlyCents);
      warnings = agentWarnings(tx, await getAgent(tx, draftId));
    } else if (adapter !== undefined) throw invalidField('adapter', ONLY_HIRES);
    else if (budgetMonthlyCents !== undefined) {
      throw invalidField('budgetMonthlyCents', ONLY_HIRES);
    }
  };
  const approved = await decideApproval(call, approvalId, 'approved', body, settle);
  return { ...approved, warnings };
}

const ONLY_HIRES = 'is only valid for hires';

async function settleBudget(tx: Tx, draftId: string, budgetMonthlyCents: number): Promise<void> {
  const draft = await tx.prisma.agent.findUniqueOrThrow({ where: { id: draftId } });
  const changed = await writeConfiguration(tx, draft, { budgetMonthlyCents }, { source: 'patch' });
  if (changed.length > 0) await tx.record('agent.updated', draftId, { changed });
}

/**
 * Commits the decision together with the draft and the wake of the agent that asked (spec, "States,
 * Approval").
 * @throws ApiError 422 for approving or revising a question, 409 `not_pending`
 */
export async function decideApproval(
  call: Call,
  approvalId: string,
  decision: Decision,
  { decisionNote = null }: DecisionBody,
  settle?: (tx: Tx, draftId: string | null, approval: ApprovalView) => Promise<void>,
): Promise<ApprovalView> {
  return inTransaction(call, async (tx) => {
    const { hiredAgentId, type } = await tx.prisma.approval.findUniqueOrThrow({
      where: { id: approvalId },
      select: { hiredAgentId: true, type: true },
    });
    if (decision !== 'rejected') assertNoQuestion(type, REFUSED[decision]);
    if (hiredAgentId) await lockAgent(tx, hiredAgentId);
    const decided = await decide(tx, approvalId, decision, decisionNote);
    const approval = await getApproval(tx, approvalId);
    if (!decided) throw alreadyDecided(approval);
    await settle?.(tx, hiredAgentId, approval);
    const isFinal = decision !== 'revision_requested';
    if (hiredAgentId && isFinal) await decideDraft(tx, hiredAgentId, decision);
    return approval;
  });
}

const REFUSED = { approved: 'approved', revision_requested: 'sent back to be revised' };
