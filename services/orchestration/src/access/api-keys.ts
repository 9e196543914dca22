import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@switchyard/db';
import type { AgentActor } from './actor';
import { IS_UNRECORDED, recordKeyUse } from './record-key-use';

const PREFIX = 'swy_';

export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** SHA-256 is enough: the key is 256 random bits, so there is nothing to guess faster. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

export function newApiKey(): { key: string; prefix: string; hash: Uint8Array<ArrayBuffer> } {
  const key = PREFIX + randomBytes(32).toString('base64url');
  return { key, prefix: key.slice(0, 10), hash: new Uint8Array(hashApiKey(key)) };
}

const FIND = `
  WITH found AS (
    SELECT k.id, k.agent_id, k.company_id, k.last_used_at, ${IS_UNRECORDED} AS is_unrecorded,
      CASE a.status WHEN 'paused' THEN coalesce(a.pause_reason, 'manual') END AS paused_for
    FROM agent_key k
    JOIN agent a ON a.id = k.agent_id
    WHERE k.hash = $1 AND a.status NOT IN ('terminated', 'pending_approval')
  ), touched AS (
    UPDATE agent_key SET last_used_at = now() FROM found
    WHERE agent_key.id = found.id
      AND (found.last_used_at IS NULL OR found.last_used_at < now() - interval '1 minute')
  )
  SELECT id, agent_id, company_id, is_unrecorded, paused_for FROM found`;

interface Row {
  id: string;
  agent_id: string;
  company_id: string;
  is_unrecorded: boolean;
  paused_for: string | null;
}

export async function findApiKeyActor(
  db: Database,
  key: string,
  address: string,
): Promise<{ actor: AgentActor; pausedFor: string | null } | null> {
  const values = [hashApiKey(key), address];
  const [row] = await db.rows<Row>('find-api-key', FIND, values);
  if (!row) return null;
  if (row.is_unrecorded) await recordKeyUse(db, row.id, address);
  const { agent_id: agentId, company_id: companyId, paused_for: pausedFor } = row;
  return { actor: { type: 'agent', agentId, companyId, via: 'api_key' }, pausedFor };
}
