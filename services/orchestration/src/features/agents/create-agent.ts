import { inTransaction, newId, type Prisma } from '@switchyard/db';
import type { AgentDetailView, CreateAgentBody } from '@switchyard/types';
import type { Scope } from '../../access/actor';
import type { Effects } from '../../context';
import { recordActivity } from '../activity/record-activity';
import { checkAdapterConfig } from './adapter-config';
import { withUniqueName } from './agent-names';
import { getAgent } from './agents';
import { assertManager } from './assert-manager';
import { unmaskConfig } from './mask-config';
import { recordRevision } from './record-revision';
import { assertSecretsExist } from './secret-references';

/** @throws Refusal 409 name taken, 422 for a manager or a secret that cannot be named */
export async function createAgent(
  effects: Effects,
  scope: Scope,
  body: CreateAgentBody,
): Promise<AgentDetailView> {
  const { companyId, actor, runId } = scope;
  const adapterConfig = unmaskConfig(body.adapterConfig ?? {}, {});
  checkAdapterConfig(effects.adapters, body.adapterType, adapterConfig);
  return inTransaction(scope.db, async (tx) => {
    if (body.reportsTo) await assertManager(tx, companyId, null, body.reportsTo);
    await assertSecretsExist(tx, companyId, adapterConfig);
    const created = tx.agent.create({
      data: {
        ...body,
        id: newId(),
        companyId,
        adapterConfig: adapterConfig as Prisma.InputJsonObject,
      },
    });
    const agent = await withUniqueName(body.name, created);
    await recordRevision(tx, scope, null, agent, { source: 'create' });
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
