import type { AgentKeyModel } from '@switchyard/db';
import { conflict } from '@switchyard/server';
import type { CreateAgentKeyBody } from '@switchyard/types';
import type { Request } from 'express';
import { newApiKey } from '../../access/api-keys';
import { assertRecentSignIn } from '../../access/sign-in/recent-sign-in';
import { type Call, inTransaction } from '../../kernel/call';
import { newestCursor, newestFirst, page } from '../../lists/page';
import { deleteKey, insertAgentKey } from '../../state/agents/keys';
import { lockAgent } from '../../state/agents/lock-agent';
import { isEmployed } from '../../state/statuses/agent-status';

export async function createAgentKey(
  call: Call & { request: Request },
  agentId: string,
  body: CreateAgentKeyBody,
) {
  await assertRecentSignIn(call);
  const { name } = body;
  const { key, prefix, hash } = newApiKey();
  return inTransaction(call, async (tx) => {
    const { status } = await lockAgent(tx, agentId);
    if (!isEmployed(status)) {
      throw conflict('conflict', `a ${status} agent cannot have API keys`, { status });
    }
    const { id, createdAt } = await insertAgentKey(tx, { agentId, name, prefix, hash });
    return { id, name, key, prefix, createdAt };
  });
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
  await inTransaction(call, (tx) => deleteKey(tx, agentId, keyId));
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
