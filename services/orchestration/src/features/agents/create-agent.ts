import { inTransaction } from '@switchyard/db';
import type { AgentDetailView, CreateAgentBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { checkAdapterConfig } from './adapter-config';
import { getAgent } from './agents';
import { insertAgent } from './insert-agent';
import { unmaskConfig } from './mask-config';

/** @throws Refusal 409 name taken, 422 for a manager, a secret, a directory or an address that cannot be named */
export async function createAgent(
  effects: Effects,
  scope: Scope,
  body: CreateAgentBody,
): Promise<AgentDetailView> {
  const { companyId, actor, runId } = scope;
  const adapterConfig = unmaskConfig(body.adapterConfig ?? {}, {});
  checkAdapterConfig(effects, companyId, body.adapterType, adapterConfig);
  return inTransaction(scope.db, async (tx) => {
    const agent = await insertAgent(tx, scope, { ...body, adapterConfig });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'agent.created',
      entityType: 'agent',
      entityId: agent.id,
      details: { name: agent.name, role: agent.role },
    });
    return getAgent(tx, agent.id);
  });
}
