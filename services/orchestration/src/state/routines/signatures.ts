import { anySql, ask, type Database, statement } from '@switchyard/db';

export interface Signature {
  digest: Uint8Array;
  /** Unix time in ms; afterwards the signature's timestamp is too old. */
  expiresAt: number;
}

const BATCH = 500;

export async function forgetSignatures({ db }: { db: Database }): Promise<void> {
  await ask(db, forgetExpired, {});
}

export const onceValue = (once: readonly Signature[]) =>
  once.map(({ digest, expiresAt }) => ({
    digest: Buffer.from(digest).toString('base64'),
    expires_at: new Date(expiresAt),
  }));

/**
 * SQL: accepts each signature once while its timestamp is valid; returns no row for a repeated one
 * (`areAccepted`). `from` is a relation with `company_id`; it must be empty if the signatures must
 * not be accepted.
 */
export const acceptFrom = (p: { triggerId: string; once: string }, from: string) => `
  INSERT INTO webhook_signature (company_id, trigger_id, digest, expires_at)
  SELECT company_id, ${p.triggerId}, decode(s.digest, 'base64'), s.expires_at
  FROM ${from}, jsonb_to_recordset(${p.once}) AS s(digest text, expires_at timestamptz)
  ON CONFLICT (trigger_id, digest) DO UPDATE SET expires_at = excluded.expires_at
    WHERE webhook_signature.expires_at < clock_timestamp()
  RETURNING trigger_id`;

export const areAccepted = (p: { once: string }, accepted: string) =>
  `(SELECT count(*) FROM ${accepted}) = jsonb_array_length(${p.once})`;

const EXPIRED = { from: 'webhook_signature', where: 'expires_at < now()', order: 'expires_at' };

export const hasExpiredSignaturesSql = anySql(EXPIRED);

const forgetExpired = statement('forget-signatures', {
  takes: {},
  gives: {},
  sql: () => `
    DELETE FROM ${EXPIRED.from} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${EXPIRED.from} WHERE ${EXPIRED.where} LIMIT ${BATCH}))`,
});
