import { inTransaction } from '@switchyard/db';
import { forbidden } from '@switchyard/server';
import type { AgentDetailView, UpdateAgentBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import { assertSelfOrBoard } from '../../access/rules';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { checkAdapterConfig } from './adapter-config';
import { getAgent } from './agents';
import { lockAgent, refuseTerminated } from './lock-agent';
import { unmaskConfig } from './mask-config';
import { writeConfiguration } from './write-configuration';

/** What an agent may say about itself (contract, "Behaviour" 4). */
const OWN_FIELDS = new Set(['title', 'capabilities']);

function assertMayWrite(scope: Scope, agentId: string, body: UpdateAgentBody): void {
  if (scope.actor.type !== 'agent') return;
  assertSelfOrBoard(scope, agentId);
  const field = Object.keys(body).find((key) => !OWN_FIELDS.has(key));
  if (field) throw forbidden('board_only', `only the board may change ${field}`, { field });
}

/**
 * @throws Refusal 403 for fields beyond the caller's, 409 terminated or name taken, 422 for a manager, a
 * secret, a directory or an address that cannot be named
 */
export async function updateAgent(
  effects: Effects,
  scope: Scope,
  agentId: string,
  body: UpdateAgentBody,
): Promise<AgentDetailView> {
  assertMayWrite(scope, agentId, body);
  const { companyId, actor, runId } = scope;
  return inTransaction(scope.db, async (tx) => {
    refuseTerminated(await lockAgent(tx, agentId));
    const before = await tx.agent.findUniqueOrThrow({ where: { id: agentId } });
    const stored = before.adapterConfig as Record<string, unknown>;
    const adapterConfig = body.adapterConfig ? unmaskConfig(body.adapterConfig, stored) : stored;
    if (body.adapterConfig || body.adapterType) {
      const type = body.adapterType ?? before.adapterType;
      checkAdapterConfig(effects, companyId, type, adapterConfig);
    }
    const wanted = { ...body, ...(body.adapterConfig && { adapterConfig }) };
    const changed = await writeConfiguration(tx, scope, before, wanted, { source: 'patch' });
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
