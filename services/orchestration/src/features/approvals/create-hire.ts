import type { AgentDetailView, ApprovalView, CreateHireBody } from '@switchyard/types';
import { assertMayChooseAdapter } from '../../access/rules';
import { type Call, inTransaction } from '../../kernel/call';
import { UNSETTLED_ADAPTER } from '../../state/agents/configuration';
import { insertApproval } from '../../state/approvals/insert-approval';
import { addAgent } from '../agents/add-agent';
import { getAgent } from '../agents/agents';
import { checkAdapterConfig } from '../agents/configuration/adapter-config';
import { maskConfig, unmaskConfig } from '../agents/configuration/mask-config';
import { getApproval } from './approvals';
import { checkDeadline } from './deadlines/check-deadline';
import { assertMayPropose } from './proposed-adapter';

/**
 * Creates a draft agent and its approval in one transaction (spec, "Approval"). Agents can only add
 * agents through this function.
 * @throws ApiError 403 for fields that only the board may set or another agent's secret, 409 for a
 * taken name, 422 for settings that the operator forbids
 */
export async function createHire(
  call: Call,
  body: CreateHireBody,
): Promise<{ agent: AgentDetailView; approval: ApprovalView }> {
  const { actor } = call;
  const { issueIds = [], proposedAdapter, ...others } = body;
  const { deadlineAt, onDeadline, escalation, ...requested } = others;
  assertMayChooseAdapter(call, requested);
  const adapterType = requested.adapterType ?? UNSETTLED_ADAPTER;
  const adapterConfig = unmaskConfig(requested.adapterConfig ?? {}, {});
  const isChosen = requested.adapterType !== undefined || requested.adapterConfig !== undefined;
  if (isChosen) checkAdapterConfig(call, adapterType, adapterConfig);
  return inTransaction(call, async (tx) => {
    const sent = { deadlineAt, onDeadline, escalation };
    const request = { type: 'hire_agent', payload: {} };
    const deadline = await checkDeadline(tx, request, sent, null);
    if (proposedAdapter) await assertMayPropose(tx, proposedAdapter);
    const draft = await addAgent(tx, {
      ...requested,
      adapterType,
      adapterConfig,
      status: 'pending_approval',
    });
    const shown = requested.adapterConfig && { adapterConfig: maskConfig(adapterConfig, null) };
    const approvalId = await insertApproval(tx, {
      type: 'hire_agent',
      payload: {
        ...requested,
        ...shown,
        ...(proposedAdapter && { proposedAdapter }),
        agentId: draft.id,
      },
      requestedByAgentId: actor.type === 'agent' ? actor.agentId : null,
      hiredAgentId: draft.id,
      issueIds,
      deadline,
    });
    return { agent: await getAgent(tx, draft.id), approval: await getApproval(tx, approvalId) };
  });
}
