import { announce, ask, type Database, type RowOf, statement } from '@switchyard/db';
import { ACTIVITY, activityOf, insertActivity } from '../../kernel/activity';
import type { AgentActor } from '../../kernel/actor';
import { isEmployedSql } from '../statuses/agent-status';

export type UsableKey = RowOf<typeof usableKey>;

export async function findUsableKey(
  db: Database,
  hash: Uint8Array<ArrayBuffer>,
  address: string,
): Promise<UsableKey | null> {
  const [key] = await ask(db, usableKey, { hash, address });
  return key ?? null;
}

/** Addresses recorded per key and day; limited, so that the use of a key cannot fill the table. */
const MAX_ADDRESSES = 20;

export const isUnrecordedSql = (row: string, address: string): string => `
  (${row}.recorded_since IS NULL OR ${row}.recorded_since < now() - interval '1 day'
  OR (${address} <> ALL (${row}.recorded_addresses)
    AND cardinality(${row}.recorded_addresses) < ${MAX_ADDRESSES}))`;

const usableKey = statement('find-api-key', {
  takes: { hash: 'bytes', address: 'text' },
  gives: {
    id: 'uuid',
    agentId: 'uuid',
    companyId: 'uuid',
    pausedFor: 'text?',
    isUnrecorded: 'bool',
    isUnseen: 'bool',
  },
  sql: ({ hash, address }) => `
    SELECT k.id, k.agent_id AS "agentId", k.company_id AS "companyId",
      CASE a.status WHEN 'paused' THEN coalesce(a.pause_reason, 'manual') END AS "pausedFor",
      ${isUnrecordedSql('k', address)} AS "isUnrecorded",
      k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute' AS "isUnseen"
    FROM agent_key k JOIN agent a ON a.id = k.agent_id
    WHERE k.hash = ${hash} AND ${isEmployedSql('a')}`,
});

export async function seeKey(db: Database, keyId: string): Promise<void> {
  await ask(db, seen, { keyId });
}

const seen = statement('see-api-key', {
  takes: { keyId: 'uuid' },
  gives: {},
  sql: ({ keyId }) => `
    UPDATE agent_key SET last_used_at = now()
    WHERE id = ${keyId} AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
});

export async function recordKeyUse(
  db: Database,
  actor: AgentActor,
  keyId: string,
  address: string,
): Promise<void> {
  const values = { ...activityOf({ actor, runId: null }), keyId, address };
  const [recorded] = await ask(db, recordUse, values);
  if (recorded) announce(db, recorded.companyId);
}

const recordUse = statement('record-key-use', {
  takes: { ...ACTIVITY, keyId: 'uuid', address: 'text' },
  gives: { companyId: 'uuid' },
  sql: (p) => `
    WITH used AS (
      UPDATE agent_key k SET
        recorded_addresses = CASE WHEN k.recorded_since > now() - interval '1 day'
          THEN k.recorded_addresses || ${p.address} ELSE ARRAY[${p.address}] END,
        recorded_since = CASE WHEN k.recorded_since > now() - interval '1 day'
          THEN k.recorded_since ELSE now() END
      WHERE k.id = ${p.keyId} AND ${isUnrecordedSql('k', p.address)}
      RETURNING k.id, k.company_id, k.agent_id, k.name, k.prefix
    )
    ${insertActivity(p, {
      action: 'agent_key.used',
      from: 'used',
      companyId: 'company_id',
      entityId: 'id',
      details: `jsonb_build_object('agentId', agent_id, 'name', name, 'prefix', prefix, 'address', ${p.address})`,
    })}
    RETURNING company_id AS "companyId"`,
});
