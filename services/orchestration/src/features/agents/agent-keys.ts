import { type AgentKeyModel, inTransaction, newId } from '@switchyard/db';
import { type Answer, conflict } from '@switchyard/server';
import type { Scope } from '../../access/actor';
import { newApiKey } from '../../access/api-keys';
import { newestCursor, newestFirst, page } from '../../page';
import { recordActivity } from '../activity/record-activity';
import { lockAgent } from './lock-agent';

/** The full value is in this answer and nowhere else (spec, "Authentication"). */
export async function createAgentKey(scope: Scope, agentId: string, name: string) {
  const { companyId, actor, runId } = scope;
  const { key, prefix, hash } = newApiKey();
  return inTransaction(scope.db, async (tx) => {
    const agent = await lockAgent(tx, agentId);
    if (agent.status === 'terminated' || agent.status === 'pending_approval') {
      throw conflict('conflict', `a ${agent.status} agent gets no keys`, { status: agent.status });
    }
    const row = await tx.agentKey.create({
      data: { id: newId(), companyId, agentId, name, prefix, hash },
    });
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'agent_key.created',
      entityType: 'agent_key',
      entityId: row.id,
      details: { agentId, name, prefix },
    });
    return { id: row.id, name, key, prefix, createdAt: row.createdAt.toISOString() };
  });
}

function presentAgentKey(row: AgentKeyModel) {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

export async function listAgentKeys(
  scope: Scope,
  agentId: string,
  query: { limit: number; cursor?: string | undefined },
): Promise<Answer> {
  const { after, orderBy, take } = newestFirst(query);
  const where = { companyId: scope.companyId, agentId, AND: after };
  const rows = await scope.db.prisma.agentKey.findMany({ where, orderBy, take });
  return page(rows, query.limit, presentAgentKey, newestCursor);
}

export async function deleteAgentKey(scope: Scope, agentId: string, keyId: string): Promise<void> {
  const { companyId, actor, runId } = scope;
  await inTransaction(scope.db, async (tx) => {
    const { count } = await tx.agentKey.deleteMany({ where: { id: keyId, agentId } });
    if (count === 0) return;
    await recordActivity(tx, {
      companyId,
      actor,
      runId,
      action: 'agent_key.deleted',
      entityType: 'agent_key',
      entityId: keyId,
      details: { agentId },
    });
  });
}
