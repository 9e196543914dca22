import { ask, newId, statement } from '@switchyard/db';
import type { Tx } from '../../kernel/call';

/** Requires the agent's lock, so that no key outlives a termination. */
export async function insertAgentKey(
  tx: Tx,
  key: { agentId: string; name: string; prefix: string; hash: Uint8Array<ArrayBuffer> },
): Promise<{ id: string; createdAt: string }> {
  const id = newId();
  const [made] = await ask(tx, insertKey, { ...key, id, companyId: tx.companyId });
  if (!made) throw new Error('the insert of an API key returned no row');
  const { agentId, name, prefix } = key;
  await tx.record('agent_key.created', id, { agentId, name, prefix });
  return { id, ...made };
}

export async function deleteKey(tx: Tx, agentId: string, id: string): Promise<void> {
  const deleted = await ask(tx, deleteKeyRow, { id, agentId });
  if (deleted.length > 0) await tx.record('agent_key.deleted', id, { agentId });
}

const insertKey = statement('insert-agent-key', {
  takes: {
    id: 'uuid',
    companyId: 'uuid',
    agentId: 'uuid',
    name: 'text',
    prefix: 'text',
    hash: 'bytes',
  },
  gives: { createdAt: 'time' },
  sql: (p) => `
    INSERT INTO agent_key (id, company_id, agent_id, name, prefix, hash)
    VALUES (${p.id}, ${p.companyId}, ${p.agentId}, ${p.name}, ${p.prefix}, ${p.hash})
    RETURNING created_at AS "createdAt"`,
});

const deleteKeyRow = statement('delete-agent-key', {
  takes: { id: 'uuid', agentId: 'uuid' },
  gives: { id: 'uuid' },
  sql: ({ id, agentId }) =>
    `DELETE FROM agent_key WHERE id = ${id} AND agent_id = ${agentId} RETURNING id`,
});
