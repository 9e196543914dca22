import { createHmac } from 'node:crypto';
import { ask, type Database, inTransaction, statement, type Transaction } from '@switchyard/db';
import { conflict, invalidField, Reply } from '@switchyard/server';
import type { Actor } from '../kernel/actor';
import { deriveKey, type Secrets, seal, unseal } from './seal';

const HEADER = 'Idempotency-Key';

export const IDEMPOTENCY_HOURS = 24;

export interface KeyedRequest {
  companyId: string | null;
  scope: string;
  key: string;
  hash: string;
  oldHashes: string[];
  forSec: number;
}

/**
 * Hashes the request with a key, because a reader of the table could guess a short secret from an
 * unkeyed hash.
 */
export function keyedRequest(
  secrets: Secrets,
  { actor, runId, companyId }: { actor: Actor; runId: string | null; companyId: string | null },
  path: string,
  key: string | undefined,
  body: unknown,
  forSec = IDEMPOTENCY_HOURS * 3_600,
): KeyedRequest | null {
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw invalidField(HEADER, 'must be 1 to 200 visible ASCII characters');
  }
  const text = JSON.stringify(body ?? null);
  const [hash = '', ...oldHashes] = secrets.map((secret) =>
    createHmac('sha256', deriveKey(secret, 'switchyard idempotency requests'))
      .update(text)
      .digest('hex'),
  );
  // Includes the run in the scope, because some calls, e.g. checkout, depend on the run.
  const run = runId ? ` in ${runId}` : '';
  return { companyId, scope: `${nameOf(actor)}${run} ${path}`, key, hash, oldHashes, forSec };
}

function nameOf(actor: Actor): string {
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  return actor.type === 'board' ? `board:${actor.userId}` : 'public:-';
}

const reserve = statement('reserve-idempotency-key', {
  takes: { companyId: 'uuid?', scope: 'text', key: 'text', hash: 'text', forSec: 'int' },
  gives: { key: 'text' },
  sql: (p) => `
    INSERT INTO idempotency_record (company_id, scope, key, request_hash)
    VALUES (${p.companyId}, ${p.scope}, ${p.key}, ${p.hash})
    ON CONFLICT (scope, key) DO UPDATE
      SET request_hash = excluded.request_hash, status = NULL, body = NULL, created_at = now()
      WHERE idempotency_record.created_at < now() - make_interval(secs => ${p.forSec})
    RETURNING key`,
});

const readRecord = statement('read-idempotency-record', {
  takes: { scope: 'text', key: 'text' },
  gives: { requestHash: 'text', status: 'int?', body: 'text?' },
  sql: ({ scope, key }) => `
    SELECT request_hash AS "requestHash", status, body FROM idempotency_record
    WHERE scope = ${scope} AND key = ${key}`,
});

const storeResponse = statement('store-idempotent-response', {
  takes: { scope: 'text', key: 'text', status: 'int', body: 'text' },
  gives: {},
  sql: (p) => `
    UPDATE idempotency_record SET status = ${p.status}, body = ${p.body}
    WHERE scope = ${p.scope} AND key = ${p.key}`,
});

async function stored<Body>(
  tx: Transaction,
  { scope, key, hash, oldHashes }: KeyedRequest,
  secrets: Secrets,
): Promise<Reply<Body>> {
  const [record] = await ask(tx, readRecord, { scope, key });
  if (!record) throw new Error('the locked row of an idempotency key is missing');
  if (![hash, ...oldHashes].includes(record.requestHash)) {
    throw conflict(
      'idempotency_conflict',
      `${HEADER} was already used with a different body: send a new key with a new request`,
      {
        retry: false,
      },
    );
  }
  const headers = { 'Idempotency-Replayed': 'true' };
  const body = JSON.parse(unseal(secrets, record.body ?? '')) as Body | null;
  return new Reply((body ?? undefined) as Body, { status: record.status ?? 200, headers });
}

/**
 * Returns the first response to a repeated POST. The key, the effect and the response commit
 * together; concurrent equal requests wait for the key's row. An error rolls back, so only
 * successes are stored.
 */
export async function once<Body>(
  db: Database,
  secrets: Secrets,
  request: KeyedRequest,
  status: number,
  work: (db: Database) => Promise<Reply<Body>>,
): Promise<Reply<Body>> {
  return inTransaction(db, async (tx) => {
    const { companyId, scope, key, hash, forSec } = request;
    const reserved = await ask(tx, reserve, { companyId, scope, key, hash, forSec });
    if (reserved.length === 0) return stored<Body>(tx, request, secrets);
    const answer = await work(tx);
    // The stored response is encrypted, because it may contain a credential that is stored nowhere
    // else.
    const body = seal(secrets[0], JSON.stringify(answer.body ?? null));
    await ask(tx, storeResponse, { scope, key, status: answer.options.status ?? status, body });
    return answer;
  });
}
