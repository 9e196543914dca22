import { anySql, ask, type Database, statement } from '@switchyard/db';

export interface Signature {
  digest: Uint8Array;
  /** Milliseconds since 1970; later the signature's timestamp is too old anyway. */
  expiresAt: number;
}

const BATCH = 500;

/** Forgets signatures whose timestamp is too old anyway. */
export async function forgetSignatures({ db }: { db: Database }): Promise<void> {
  await ask(db, forgetExpired, {});
}

export const signatureValues = (signature: Signature | null) => ({
  digest: signature && new Uint8Array(signature.digest),
  expiresAt: signature && new Date(signature.expiresAt),
});

/**
 * Each signature is good once while its timestamp is; equal requests wait here for the first one. `from` has the company
 * while the signature may be looked at; nothing is returned for one that was accepted before.
 */
export const acceptFrom = (
  p: { triggerId: string; digest: string; expiresAt: string },
  from: string,
) => `
  INSERT INTO webhook_signature (company_id, trigger_id, digest, expires_at)
  SELECT company_id, ${p.triggerId}, ${p.digest}, ${p.expiresAt} FROM ${from}
  WHERE ${p.digest} IS NOT NULL
  ON CONFLICT (trigger_id, digest) DO UPDATE SET expires_at = excluded.expires_at
    WHERE webhook_signature.expires_at < clock_timestamp()
  RETURNING trigger_id`;

const EXPIRED = { from: 'webhook_signature', where: 'expires_at < now()', order: 'expires_at' };

/** SQL: whether a signature's time is over. */
export const hasExpiredSignaturesSql = anySql(EXPIRED);

const forgetExpired = statement('forget-signatures', {
  takes: {},
  gives: {},
  sql: () => `
    DELETE FROM ${EXPIRED.from} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${EXPIRED.from} WHERE ${EXPIRED.where} LIMIT ${BATCH}))`,
});
