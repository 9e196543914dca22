import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@switchyard/db';
import type { AgentActor } from '../kernel/actor';
import { findUsableKey, recordKeyUse, seeKey } from '../state/agents/key-use';

export async function findApiKeyActor(
  db: Database,
  key: string,
  address: string,
): Promise<{ actor: AgentActor; pausedFor: string | null } | null> {
  const found = await findUsableKey(db, hashApiKey(key), address);
  if (!found) return null;
  const { id, agentId, companyId, pausedFor, isUnrecorded, isUnseen } = found;
  const actor: AgentActor = { type: 'agent', agentId, companyId, via: 'api_key' };
  if (isUnseen) await seeKey(db, id);
  if (isUnrecorded) await recordKeyUse(db, actor, id, address);
  return { actor, pausedFor };
}

const PREFIX = 'swy_';

export function looksLikeApiKey(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

/** Plain SHA-256 suffices: the key has 256 random bits. */
function hashApiKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest());
}

export function newApiKey(): { key: string; prefix: string; hash: Uint8Array<ArrayBuffer> } {
  const key = PREFIX + randomBytes(32).toString('base64url');
  return { key, prefix: key.slice(0, 10), hash: hashApiKey(key) };
}
