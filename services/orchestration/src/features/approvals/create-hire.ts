import { inTransaction } from '@switchyard/db';
import { forbidden } from '@switchyard/server';
import type { AgentDetailView, ApprovalView, CreateHireBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { checkAdapterConfig } from '../agents/adapter-config';
import { getAgent } from '../agents/agents';
import { insertAgent } from '../agents/insert-agent';
import { maskConfig, unmaskConfig } from '../agents/mask-config';
import { insertApproval } from './insert-approval';
import { presentApproval } from './present-approval';

/** What decides which program runs is the board's alone to say, also in a request (guarantee G24). */
const BOARD_FIELDS = ['adapterType', 'adapterConfig'] as const;

/** A draft whose adapter nobody has chosen; its runs fail with `bad_config` until the board does. */
const UNSETTLED_ADAPTER = 'process';

/**
 * A draft agent and the approval that decides on it, in one transaction (spec, "Approval"). The only way
 * in which an agent adds an agent.
 * @throws Refusal 403 for fields of the board, 409 name taken, 422 for what the operator forbids the company
 */
export async function createHire(
  effects: Effects,
  scope: Scope,
  body: CreateHireBody,
): Promise<{ agent: AgentDetailView; approval: ApprovalView }> {
  const { actor } = scope;
  const { issueIds = [], ...requested } = body;
  const field = BOARD_FIELDS.find((name) => requested[name] !== undefined);
  if (field && actor.type === 'agent') {
    throw forbidden('board_only', `only the board may choose ${field}`, { field });
  }
  const adapterType = requested.adapterType ?? UNSETTLED_ADAPTER;
  const adapterConfig = unmaskConfig(requested.adapterConfig ?? {}, {});
  if (field) checkAdapterConfig(effects, scope.companyId, adapterType, adapterConfig);
  return inTransaction(scope.db, async (tx) => {
    const draft = await insertAgent(tx, scope, {
      ...requested,
      adapterType,
      adapterConfig,
      status: 'pending_approval',
    });
    const shown = requested.adapterConfig && { adapterConfig: maskConfig(adapterConfig) };
    const approval = await insertApproval(tx, scope, {
      type: 'hire_agent',
      payload: { ...requested, ...shown, agentId: draft.id },
      requestedByAgentId: actor.type === 'agent' ? actor.agentId : null,
      hiredAgentId: draft.id,
      issueIds,
    });
    return { agent: await getAgent(tx, draft.id), approval: presentApproval(approval) };
  });
}
