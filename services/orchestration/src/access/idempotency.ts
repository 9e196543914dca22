import { createHmac } from 'node:crypto';
import { ask, type Database, inTransaction, statement, type Transaction } from '@switchyard/db';
import { conflict, invalidField, Reply } from '@switchyard/server';
import type { Actor } from './actor';
import { deriveKey, type Secrets, seal, unseal } from './seal';

const HEADER = 'Idempotency-Key';

/** How long a key is remembered (docs/contract.md, "Conventions"). */
export const IDEMPOTENCY_HOURS = 24;

export interface KeyedRequest {
  /** Who asked for what: the same key means nothing between two callers or two paths. */
  scope: string;
  key: string;
  hash: string;
  /** By secrets that were changed since; an equal request was stored under one of them. */
  oldHashes: string[];
  /** How long the key is remembered. */
  forSec: number;
}

/**
 * The body is kept as a keyed hash: a plain one would let whoever reads the table guess a short secret
 * that was in it.
 */
export function keyedRequest(
  secrets: Secrets,
  { actor, runId }: { actor: Actor; runId: string | null },
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
  // The run decides what some calls do, e.g. who holds a checkout, so another run asks for something else.
  const run = runId ? ` in ${runId}` : '';
  return { scope: `${nameOf(actor)}${run} ${path}`, key, hash, oldHashes, forSec };
}

/** A webhook's sender needs no name of its own: the path says which trigger it fires. */
function nameOf(actor: Actor): string {
  if (actor.type === 'agent') return `agent:${actor.agentId}`;
  return actor.type === 'board' ? `board:${actor.userId}` : 'public:-';
}

const reserve = statement('reserve-idempotency-key', {
  takes: { scope: 'text', key: 'text', hash: 'text', forSec: 'int' },
  gives: { key: 'text' },
  sql: (p) => `
    INSERT INTO idempotency_record (scope, key, request_hash) VALUES (${p.scope}, ${p.key}, ${p.hash})
    ON CONFLICT (scope, key) DO UPDATE
      SET request_hash = excluded.request_hash, status = NULL, body = NULL, created_at = now()
      WHERE idempotency_record.created_at < now() - make_interval(secs => ${p.forSec})
    RETURNING key`,
});

async function stored<Body>(
  tx: Transaction,
  { scope, key, hash, oldHashes }: KeyedRequest,
  secrets: Secrets,
): Promise<Reply<Body>> {
  const record = await tx.prisma.idempotencyRecord.findUniqueOrThrow({
    where: { scope_key: { scope, key } },
  });
  if (![hash, ...oldHashes].includes(record.requestHash)) {
    throw conflict(
      'idempotency_conflict',
      `${HEADER} was used before with another body: send a new one for a new request`,
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
 * Returns the first response to a repeated POST. The key, the effect and the response commit together; an equal
 * request that comes meanwhile waits for the key's row. An error rolls all three back, so only successes are kept.
 */
export async function once<Body>(
  db: Database,
  secrets: Secrets,
  request: KeyedRequest,
  status: number,
  work: (db: Database) => Promise<Reply<Body>>,
): Promise<Reply<Body>> {
  return inTransaction(db, async (tx) => {
    const { scope, key, hash, forSec } = request;
    const reserved = await ask(tx, reserve, { scope, key, hash, forSec });
    if (reserved.length === 0) return stored<Body>(tx, request, secrets);
    const answer = await work(tx);
    await tx.prisma.idempotencyRecord.update({
      where: { scope_key: { scope, key } },
      data: {
        status: answer.options.status ?? status,
        // Sealed, because an answer may show a credential that is stored nowhere else.
        body: seal(secrets[0], JSON.stringify(answer.body ?? null)),
      },
    });
    return answer;
  });
}
