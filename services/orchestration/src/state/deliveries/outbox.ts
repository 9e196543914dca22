import { ask, type Database, type RowOf, statement } from '@switchyard/db';
import type { ClaimOptions, Outcome } from '@switchyard/deliverer';

const LEASE_SEC = 60;

export type ClaimedDelivery = RowOf<typeof claimDue>;

/**
 * Claims at most one due delivery per queue; the longest waiting delivery comes first. An owner is
 * a company.
 */
export function claimDeliveries(
  db: Database,
  { room, perOwner, except, exceptOwners }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const lists = { except: [...except], exceptOwners: [...exceptOwners] };
  return ask(db, claimDue, { room, perOwner, ...lists });
}

/**
 * Reads the queues with pending deliveries one by one from the index, so the cost does not depend
 * on their lengths.
 */
const claimDue = statement('claim-deliveries', {
  takes: { room: 'int', perOwner: 'int', except: 'uuid[]', exceptOwners: 'uuid[]' },
  gives: {
    id: 'uuid',
    companyId: 'uuid',
    webhookId: 'text',
    queue: 'uuid',
    attempts: 'int',
    body: 'text?',
    target: 'bytes?',
    endpointId: 'uuid?',
    secretVersion: 'int',
    keyId: 'uuid?',
    masterKeyId: 'text?',
    wrappedKey: 'bytes?',
    claimedUntil: 'time',
    traceContext: 'text?',
  },
  sql: ({ room, perOwner, except, exceptOwners }) => `
    WITH RECURSIVE queues AS (
      (SELECT queue, company_id FROM delivery WHERE next_attempt_at IS NOT NULL ORDER BY queue LIMIT 1)
      UNION ALL
      SELECT next.queue, next.company_id FROM queues CROSS JOIN LATERAL (
        SELECT d.queue, d.company_id FROM delivery d WHERE d.next_attempt_at IS NOT NULL AND d.queue > queues.queue
        ORDER BY d.queue LIMIT 1
      ) next
    ), due AS (
      SELECT first.id, first.next_attempt_at,
        row_number() OVER (PARTITION BY first.company_id ORDER BY first.next_attempt_at) AS of_owner
      FROM queues CROSS JOIN LATERAL (
        SELECT d.id, d.company_id, d.next_attempt_at FROM delivery d
        WHERE d.queue = queues.queue AND d.next_attempt_at <= clock_timestamp()
        ORDER BY d.next_attempt_at, d.id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) first
      WHERE queues.queue <> ALL (${except}) AND queues.company_id <> ALL (${exceptOwners})
    ), chosen AS (
      SELECT id FROM due WHERE of_owner <= ${perOwner} ORDER BY next_attempt_at LIMIT ${room}
    ), claimed AS (
      UPDATE delivery d SET next_attempt_at = clock_timestamp() + ${LEASE_SEC} * interval '1 second'
      FROM chosen WHERE d.id = chosen.id RETURNING d.*
    )
    SELECT d.id, d.company_id AS "companyId", d.webhook_id AS "webhookId", d.queue, d.attempts, d.body,
      coalesce(e.target, d.target) AS target, d.endpoint_id AS "endpointId",
      coalesce(e.secret_version, 1) AS "secretVersion", k.id AS "keyId", k.master_key_id AS "masterKeyId", k.wrapped_key AS "wrappedKey",
      coalesce(d.next_attempt_at, d.created_at) AS "claimedUntil", r.trace_context AS "traceContext"
    FROM claimed d LEFT JOIN endpoint e ON e.id = d.endpoint_id
      LEFT JOIN secret_key k ON k.id = coalesce(e.target_key_id, d.target_key_id)
      LEFT JOIN heartbeat_run r ON r.company_id = d.company_id AND r.id = d.run_id`,
});

/**
 * Records the outcome of an attempt, unless the claim has expired and another process holds the
 * delivery. A 2xx response counts even if the delivery was given up during the attempt.
 */
export async function settleDelivery(
  db: Database,
  { id, claimedUntil }: Pick<ClaimedDelivery, 'id' | 'claimedUntil'>,
  outcome: Outcome,
): Promise<void> {
  const { kind, status, error, text, durationMs } = outcome;
  await ask(db, settle, {
    id,
    claimedUntil,
    status: STATUS[kind],
    afterMs: outcome.kind === 'retry' ? outcome.afterMs : null,
    answerStatus: status,
    answer: text,
    error,
    durationMs,
  });
}

const STATUS = {
  delivered: 'delivered',
  retry: 'pending',
  gone: 'given_up',
  given_up: 'given_up',
} as const;

const settle = statement('settle-delivery', {
  takes: {
    id: 'uuid',
    claimedUntil: 'time',
    status: 'text',
    afterMs: 'int?',
    answerStatus: 'int?',
    answer: 'text',
    error: 'text?',
    durationMs: 'int',
  },
  gives: {},
  sql: (p) => `
    UPDATE delivery SET status = ${p.status}, attempted_at = clock_timestamp(),
      attempts = CASE ${p.status} WHEN 'delivered' THEN attempts ELSE attempts + 1 END,
      next_attempt_at = clock_timestamp() + ${p.afterMs} * interval '1 millisecond',
      answer_status = ${p.answerStatus}, answer = ${p.answer}, error = ${p.error}, duration_ms = ${p.durationMs}
    WHERE id = ${p.id} AND (next_attempt_at = ${p.claimedUntil}
      OR ${p.status} = 'delivered' AND status = 'given_up')`,
});

/**
 * Stores the body of the first attempt, which all later attempts repeat.
 * @returns the stored body
 */
export async function keepBody(db: Database, id: string, body: string): Promise<string> {
  const [kept] = await ask(db, keep, { id, body });
  return kept?.body ?? body;
}

const keep = statement('keep-delivery-body', {
  takes: { id: 'uuid', body: 'text' },
  gives: { body: 'text' },
  sql: ({ id, body }) =>
    `UPDATE delivery SET body = coalesce(body, ${body}) WHERE id = ${id} RETURNING coalesce(body, '') AS body`,
});

export async function pruneDeliveries(
  db: Database,
  options: { days: number; most: number },
): Promise<number> {
  return (await ask(db, prune, options)).length;
}

const prune = statement('prune-deliveries', {
  takes: { days: 'int', most: 'int' },
  gives: { id: 'uuid' },
  sql: ({ days, most }) => `
    DELETE FROM delivery WHERE id IN (
      SELECT id FROM delivery WHERE next_attempt_at IS NULL AND status <> 'waiting'
        AND coalesce(attempted_at, created_at) < now() - ${days} * interval '1 day'
      ORDER BY coalesce(attempted_at, created_at) LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING id`,
});
