import { type AgentKeyModel, newId } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import { newApiKey } from '../../access/api-keys';
import { type Call, inTransaction } from '../../call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { lockAgent } from '../../state/agents/lock-agent';

/** The full value is in this answer and nowhere else (spec, "Authentication"). */
export async function createAgentKey(call: Call, agentId: string, name: string) {
  const { companyId } = call;
  const { key, prefix, hash } = newApiKey();
  return inTransaction(call, async (tx) => {
    const agent = await lockAgent(tx, agentId);
    if (agent.status === 'terminated' || agent.status === 'pending_approval') {
      throw conflict('conflict', `a ${agent.status} agent gets no keys`, { status: agent.status });
    }
    const row = await tx.prisma.agentKey.create({
      data: { id: newId(), companyId, agentId, name, prefix, hash },
    });
    await tx.record('agent_key.created', row.id, { agentId, name, prefix });
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
  call: Call,
  agentId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { after, orderBy, take } = newestFirst(query);
  const where = { companyId: call.companyId, agentId, AND: after };
  const rows = await call.db.prisma.agentKey.findMany({ where, orderBy, take });
  return page(rows, query.limit, presentAgentKey, newestCursor);
}

export async function deleteAgentKey(call: Call, agentId: string, keyId: string): Promise<void> {
  await inTransaction(call, async (tx) => {
    const { count } = await tx.prisma.agentKey.deleteMany({ where: { id: keyId, agentId } });
    if (count === 0) return;
    await tx.record('agent_key.deleted', keyId, { agentId });
  });
}
