import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@switchyard/db';
import { findUsableKey, recordKeyUse, seeKey } from '../state/agents/key-use';
import type { AgentActor } from './actor';

/** The agent of a key, and why it is paused. Null for a key that is unknown, or whose agent may not call. */
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

/** SHA-256 is enough: the key is 256 random bits, so there is nothing to guess faster. */
function hashApiKey(key: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(key).digest());
}

export function newApiKey(): { key: string; prefix: string; hash: Uint8Array<ArrayBuffer> } {
  const key = PREFIX + randomBytes(32).toString('base64url');
  return { key, prefix: key.slice(0, 10), hash: hashApiKey(key) };
}
