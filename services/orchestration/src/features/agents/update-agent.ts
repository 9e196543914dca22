import { inTransaction, type Prisma } from '@switchyard/db';
import { conflict, forbidden } from '@switchyard/server';
import type { AgentDetailView, UpdateAgentBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { assertSelfOrBoard } from '../../access/rules';
import type { Effects } from '../../context';
import { assertNoCycle } from '../../hierarchy';
import { recordActivity } from '../activity/record-activity';
import { checkAdapterConfig } from './adapter-config';
import { withUniqueName } from './agent-names';
import { getAgent } from './agents';
import { lockAgent } from './lock-agent';
import { unmaskConfig } from './mask-config';
import { recordRevision } from './record-revision';

/** What an agent may say about itself (contract, "Behaviour" 4). */
const OWN_FIELDS = new Set(['title', 'capabilities']);

function assertMayWrite(scope: Scope, agentId: string, body: UpdateAgentBody): void {
  if (scope.actor.type !== 'agent') return;
  assertSelfOrBoard(scope, agentId);
  const field = Object.keys(body).find((key) => !OWN_FIELDS.has(key));
  if (field) throw forbidden('board_only', `only the board may change ${field}`, { field });
}

/** @throws Refusal 403 for fields beyond the caller's, 409 terminated or name taken, 422 cycle */
export async function updateAgent(
  effects: Effects,
  scope: Scope,
  agentId: string,
  body: UpdateAgentBody,
): Promise<AgentDetailView> {
  assertMayWrite(scope, agentId, body);
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    const { status } = await lockAgent(tx, agentId);
    if (status === 'terminated') {
      throw conflict('agent_terminated', 'a terminated agent cannot be changed', { retry: false });
    }
    const before = await tx.agent.findUniqueOrThrow({ where: { id: agentId } });
    const stored = before.adapterConfig as Record<string, unknown>;
    const adapterConfig = body.adapterConfig ? unmaskConfig(body.adapterConfig, stored) : stored;
    const adapterType = body.adapterType ?? before.adapterType;
    if (body.adapterConfig || body.adapterType) {
      checkAdapterConfig(effects.adapters, adapterType, adapterConfig);
    }
    if (body.reportsTo) await assertNoCycle(tx, 'agent', companyId, agentId, body.reportsTo);
    const written = tx.agent.update({
      where: { id: agentId },
      data: { ...body, adapterConfig: adapterConfig as Prisma.InputJsonObject },
    });
    const after = await withUniqueName(body.name, written);
    const changed = await recordRevision(tx, scope, before, after, 'patch');
    if (changed.length > 0) {
      await recordActivity(tx, {
        companyId,
        actor,
        runId,
        action: 'agent.updated',
        entityType: 'agent',
        entityId: agentId,
        details: { changed },
      });
    }
    return getAgent(tx, agentId);
  });
}
