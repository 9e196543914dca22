import { type AgentKeyModel, newId } from '@switchyard/db';
import type { Tx } from '../../call';

/** The caller holds the agent's lock, so that no key outlives a termination. */
export async function insertAgentKey(
  tx: Tx,
  key: { agentId: string; name: string; prefix: string; hash: Uint8Array<ArrayBuffer> },
): Promise<AgentKeyModel> {
  const data = { ...key, id: newId(), companyId: tx.companyId };
  const row = await tx.prisma.agentKey.create({ data });
  const { agentId, name, prefix } = key;
  await tx.record('agent_key.created', row.id, { agentId, name, prefix });
  return row;
}

/** Deleting what is gone changes nothing. */
export async function deleteKey(tx: Tx, agentId: string, id: string): Promise<void> {
  const { count } = await tx.prisma.agentKey.deleteMany({ where: { id, agentId } });
  if (count > 0) await tx.record('agent_key.deleted', id, { agentId });
}
