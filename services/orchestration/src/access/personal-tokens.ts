import { randomBytes } from 'node:crypto';
import { ask, type Database, inTransaction, statement } from '@switchyard/db';
import type { Role, TokenScope } from '@switchyard/types';
import { recordActivities } from '../kernel/activity';
import type { BoardActor } from '../kernel/actor';
import { isUnrecordedSql } from '../state/agents/key-use';
import { hashToken } from './sign-in/tokens';

/**
 * Reads the person's rights per request, so that changes apply immediately. Returns null for an
 * unknown or expired token, or if the person has left the token's only company.
 */
export async function findTokenActor(
  db: Database,
  value: string,
  address: string,
): Promise<BoardActor | null> {
  const rows = await ask(db, usableToken, { hash: hashToken(value), address });
  const [found] = rows;
  if (!found) return null;
  const { id, userId, isUnseen, isUnrecorded } = found;
  const scope = found.scope as TokenScope;
  const roles = new Map<string, Role>();
  for (const { companyId, role } of rows) if (companyId && role) roles.set(companyId, role as Role);
  const isAdministrator = false;
  const token = { id, scope };
  const actor = { type: 'board' as const, userId, roles, isAdministrator, token };
  if (isUnseen) await ask(db, seen, { id });
  if (isUnrecorded) await recordUse(db, actor, id, address);
  return actor;
}

async function recordUse(
  db: Database,
  actor: BoardActor & { roles: ReadonlyMap<string, Role> },
  id: string,
  address: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [used] = await ask(tx, markRecorded, { id, address });
    if (!used) return;
    const details = { ...used, address };
    const entry = { actor, action: 'personal_token.used', entityId: id, details };
    await recordActivities(
      tx,
      [...actor.roles.keys()].map((companyId) => ({ ...entry, companyId })),
    );
  });
}

const PREFIX = 'syp_';

export function looksLikePersonalToken(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

export function newPersonalToken() {
  const token = PREFIX + randomBytes(32).toString('base64url');
  return { token, prefix: token.slice(0, 10), hash: hashToken(token) };
}

const usableToken = statement('find-personal-token', {
  takes: { hash: 'bytes', address: 'text' },
  gives: {
    id: 'uuid',
    userId: 'uuid',
    scope: 'text',
    companyId: 'uuid?',
    role: 'text?',
    isUnseen: 'bool',
    isUnrecorded: 'bool',
  },
  sql: ({ hash, address }) => `
    SELECT t.id, t.user_id AS "userId", t.scope, m.company_id AS "companyId", m.role,
      t.last_used_at IS NULL OR t.last_used_at < now() - interval '1 minute' AS "isUnseen",
      ${isUnrecordedSql('t', address)} AS "isUnrecorded"
    FROM personal_token t
    LEFT JOIN membership m ON m.user_id = t.user_id
      AND m.company_id = coalesce(t.company_id, m.company_id)
    WHERE t.hash = ${hash} AND t.expires_at > now()
      AND (t.company_id IS NULL OR m.company_id IS NOT NULL)`,
});

/** Records the last use at most once per minute, so that most requests write nothing. */
const seen = statement('see-personal-token', {
  takes: { id: 'uuid' },
  gives: {},
  sql: ({ id }) => `
    UPDATE personal_token SET last_used_at = now()
    WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
});

const markRecorded = statement('record-token-use', {
  takes: { id: 'uuid', address: 'text' },
  gives: { name: 'text', prefix: 'text' },
  sql: ({ id, address }) => `
    UPDATE personal_token t SET
      recorded_addresses = CASE WHEN t.recorded_since > now() - interval '1 day'
        THEN t.recorded_addresses || ${address} ELSE ARRAY[${address}] END,
      recorded_since = CASE WHEN t.recorded_since > now() - interval '1 day'
        THEN t.recorded_since ELSE now() END
    WHERE t.id = ${id} AND ${isUnrecordedSql('t', address)}
    RETURNING t.name, t.prefix`,
});
