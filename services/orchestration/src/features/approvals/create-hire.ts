import { forbidden } from '@switchyard/server';
import type { AgentDetailView, ApprovalView, CreateHireBody } from '@switchyard/types';
import { type Call, inTransaction } from '../../call';
import { getAgent } from '../agents/agents';
import { checkAdapterConfig } from '../agents/configuration/adapter-config';
import { maskConfig, unmaskConfig } from '../agents/configuration/mask-config';
import { insertAgent } from '../agents/insert-agent';
import { insertApproval } from './insert-approval';
import { presentApproval } from './present-approval';

/** What decides which program runs is the board's alone to say, also in a request (guarantee G24). */
const BOARD_FIELDS = ['adapterType', 'adapterConfig'] as const;

/** A draft whose adapter nobody has chosen; its runs fail with `bad_config` until the board does. */
const UNSETTLED_ADAPTER = 'process';

/**
 * A draft agent and the approval that decides on it, in one transaction (spec, "Approval"). The only way
 * in which an agent adds an agent.
 * @throws ApiError 403 for fields of the board, 409 name taken, 422 for what the operator forbids the company
 */
export async function createHire(
  call: Call,
  body: CreateHireBody,
): Promise<{ agent: AgentDetailView; approval: ApprovalView }> {
  const { actor } = call;
  const { issueIds = [], ...requested } = body;
  const field = BOARD_FIELDS.find((name) => requested[name] !== undefined);
  if (field && actor.type === 'agent') {
    throw forbidden('board_only', `only the board may choose ${field}`, { field });
  }
  const adapterType = requested.adapterType ?? UNSETTLED_ADAPTER;
  const adapterConfig = unmaskConfig(requested.adapterConfig ?? {}, {});
  if (field) checkAdapterConfig(call.context, call.companyId, adapterType, adapterConfig);
  return inTransaction(call, async (tx) => {
    const draft = await insertAgent(tx, {
      ...requested,
      adapterType,
      adapterConfig,
      status: 'pending_approval',
    });
    const shown = requested.adapterConfig && { adapterConfig: maskConfig(adapterConfig) };
    const approval = await insertApproval(tx, {
      type: 'hire_agent',
      payload: { ...requested, ...shown, agentId: draft.id },
      requestedByAgentId: actor.type === 'agent' ? actor.agentId : null,
      hiredAgentId: draft.id,
      issueIds,
    });
    return { agent: await getAgent(tx, draft.id), approval: presentApproval(approval) };
  });
}
